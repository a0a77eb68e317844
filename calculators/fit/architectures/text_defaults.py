"""Values that the classes of language models give to absent keys.
Read from transformers 5.24.0."""

TEXT = """
afmoe: global_attn_every_n_layers=4 head_dim=128 moe_intermediate_size=1408 num_dense_layers=1
  num_experts=64 num_experts_per_tok=6 num_shared_experts=2 tie_word_embeddings=false
apertus: tie_word_embeddings=false
apertus1p5_text: tie_word_embeddings=false
arcee: tie_word_embeddings=false
axk1: moe_intermediate_size=2048 n_routed_experts=192 n_shared_experts=1 num_experts_per_tok=8
  num_key_value_heads=64 tie_word_embeddings=false first_k_dense_replace=1
bailing_hybrid: first_k_dense_replace=2 head_dim=128 layer_group_size=6 moe_intermediate_size=768
  num_key_value_heads=32 short_conv_kernel_size=4 tie_word_embeddings=false
bamba: mamba_conv_bias=true mamba_d_conv=4 mamba_expand=2 mamba_n_groups=1 num_key_value_heads=8
  tie_word_embeddings=false
bitnet: num_key_value_heads=5 tie_word_embeddings=false
bloom: tie_word_embeddings=true
codegen: tie_word_embeddings=false
cohere: tie_word_embeddings=true use_qk_norm=false
cohere2: hidden_size=8192 intermediate_size=22528 max_position_embeddings=8192
  num_attention_heads=64 num_hidden_layers=40 sliding_window=4096 tie_word_embeddings=true
  vocab_size=256000
cohere2_moe: head_dim=128 num_experts=8 num_experts_per_tok=2 num_shared_experts=0
  sliding_window_pattern=4 tie_word_embeddings=true
cwm: head_dim=128 num_key_value_heads=8 tie_word_embeddings=false
dbrx: tie_word_embeddings=false
deepseek_v2: first_k_dense_replace=0 moe_intermediate_size=1407 n_routed_experts=64
  n_shared_experts=2 tie_word_embeddings=false
deepseek_v3: first_k_dense_replace=3 hidden_size=7168 intermediate_size=18432 kv_lora_rank=512
  max_position_embeddings=4096 moe_intermediate_size=2048 n_routed_experts=256 n_shared_experts=1
  num_attention_heads=128 num_experts_per_tok=8 num_hidden_layers=61 num_key_value_heads=128
  q_lora_rank=1536 qk_nope_head_dim=128 qk_rope_head_dim=64 tie_word_embeddings=false
  v_head_dim=128 vocab_size=129280
deepseek_v32: first_k_dense_replace=3 head_dim=64 index_head_dim=128 index_n_heads=64
  index_topk=2048 moe_intermediate_size=2048 n_routed_experts=256 n_shared_experts=1
  num_experts_per_tok=8 num_key_value_heads=128 tie_word_embeddings=false
deepseek_v4: hc_mult=4 head_dim=512 index_head_dim=128 index_n_heads=64 index_topk=512
  moe_intermediate_size=2048 n_routed_experts=256 n_shared_experts=1 num_experts_per_tok=6
  num_key_value_heads=1 o_groups=8 o_lora_rank=1024 tie_word_embeddings=false
dots1: first_k_dense_replace=0 max_window_layers=62 moe_intermediate_size=1408
  num_key_value_heads=32 tie_word_embeddings=false
ernie4_5: head_dim=128 num_key_value_heads=2 tie_word_embeddings=true use_bias=false
ernie4_5_moe: moe_intermediate_size=1536 moe_layer_end_index=-1 moe_layer_interval=1
  moe_layer_start_index=1 moe_num_experts=64 moe_num_shared_experts=2 num_key_value_heads=4
  tie_word_embeddings=true use_bias=false
exaone: num_key_value_heads=8 tie_word_embeddings=false
exaone4: num_key_value_heads=32 sliding_window_pattern=4 tie_word_embeddings=false
exaone_moe: first_k_dense_replace=1 moe_intermediate_size=1024 num_experts=64
  num_experts_per_tok=8 num_key_value_heads=32 num_shared_experts=1 sliding_window_pattern=4
  tie_word_embeddings=false
falcon: alibi=false bias=false multi_query=true new_decoder_architecture=false parallel_attn=true
  tie_word_embeddings=true
falcon_h1: mamba_conv_bias=true mamba_d_conv=4 mamba_d_ssm=1024 mamba_expand=2 mamba_n_groups=1
  mamba_rms_norm=false num_key_value_heads=8 projectors_bias=false tie_word_embeddings=false
falcon_mamba: conv_kernel=4 expand=2 tie_word_embeddings=true time_step_rank=auto use_bias=false
  use_conv_bias=true
flex_olmo: num_experts=7 num_experts_per_tok=5 tie_word_embeddings=false
flint: decoder_sparse_step=1 head_dim=128 moe_intermediate_size=512 num_experts=256
  num_experts_per_tok=6 num_key_value_heads=4 tie_word_embeddings=false
gemma: head_dim=256 hidden_size=3072 intermediate_size=24576 max_position_embeddings=8192
  num_attention_heads=16 num_hidden_layers=28 num_key_value_heads=16 tie_word_embeddings=true
  vocab_size=256000
gemma2: head_dim=256 hidden_size=2304 intermediate_size=9216 max_position_embeddings=8192
  num_attention_heads=8 num_hidden_layers=26 num_key_value_heads=4 sliding_window=4096
  tie_word_embeddings=true vocab_size=256000
gemma3_text: head_dim=256 hidden_size=2304 intermediate_size=9216 max_position_embeddings=131072
  num_attention_heads=8 num_hidden_layers=26 num_key_value_heads=4 sliding_window=4096
  tie_word_embeddings=true vocab_size=262208
gemma3n_text: altup_num_inputs=4 head_dim=256 hidden_size=2048 hidden_size_per_layer_input=256
  intermediate_size=16384 laurel_rank=64 max_position_embeddings=32768 num_attention_heads=8
  num_hidden_layers=35 num_key_value_heads=2 num_kv_shared_layers=15 sliding_window=512
  tie_word_embeddings=true vocab_size=262400 vocab_size_per_layer_input=262144
gemma4_text: attention_k_eq_v=false enable_moe_block=false head_dim=256 hidden_size=2304
  hidden_size_per_layer_input=256 intermediate_size=9216 max_position_embeddings=131072
  num_attention_heads=8 num_hidden_layers=30 num_key_value_heads=4 num_kv_shared_layers=0
  sliding_window=512 tie_word_embeddings=true use_double_wide_mlp=false vocab_size=262144
  vocab_size_per_layer_input=262144
gemma4_unified_text: attention_k_eq_v=false head_dim=256 hidden_size=2304 intermediate_size=9216
  max_position_embeddings=262144 num_attention_heads=8 num_hidden_layers=30 num_key_value_heads=4
  num_kv_shared_layers=0 sliding_window=1024 tie_word_embeddings=true use_double_wide_mlp=false
  vocab_size=262144
glm: attention_bias=true head_dim=128 num_key_value_heads=2 tie_word_embeddings=false
glm4: attention_bias=true head_dim=128 num_key_value_heads=2 tie_word_embeddings=false
glm4_moe: first_k_dense_replace=1 moe_intermediate_size=1408 n_routed_experts=128
  n_shared_experts=1 num_experts_per_tok=8 num_key_value_heads=8 tie_word_embeddings=false
  use_qk_norm=false
glm4_moe_lite: moe_intermediate_size=1536 n_routed_experts=64 n_shared_experts=1
  num_experts_per_tok=4 num_key_value_heads=20 tie_word_embeddings=false first_k_dense_replace=1
glm4v_moe_text: attention_bias=true first_k_dense_replace=1 hidden_size=4096
  intermediate_size=10944 max_position_embeddings=65536 moe_intermediate_size=1408
  n_routed_experts=128 n_shared_experts=1 num_attention_heads=96 num_experts_per_tok=8
  num_hidden_layers=46 num_key_value_heads=8 tie_word_embeddings=false vocab_size=151424
glm4v_text: hidden_size=4096 intermediate_size=13696 max_position_embeddings=32768
  num_attention_heads=32 num_hidden_layers=40 num_key_value_heads=2 vocab_size=151552
glm_moe_dsa: first_k_dense_replace=3 head_dim=64 index_head_dim=128 index_n_heads=32
  index_topk=2048 moe_intermediate_size=2048 n_routed_experts=256 n_shared_experts=1
  num_experts_per_tok=8 num_key_value_heads=64 tie_word_embeddings=false
gpt2: tie_word_embeddings=true
gpt_bigcode: multi_query=true tie_word_embeddings=true
gpt_neo: tie_word_embeddings=true window_size=256
gpt_neox: attention_bias=true tie_word_embeddings=false use_parallel_residual=true
gpt_oss: attention_bias=true head_dim=64 num_experts_per_tok=4 num_key_value_heads=8
  num_local_experts=128 tie_word_embeddings=false
gptj: tie_word_embeddings=false
granite: tie_word_embeddings=false
granite_swa: num_key_value_heads=4 tie_word_embeddings=true
granitemoe: num_experts_per_tok=2 num_local_experts=8 tie_word_embeddings=false
granitemoe_swa: num_experts_per_tok=2 num_local_experts=8 shared_intermediate_size=0
  tie_word_embeddings=false
granitemoehybrid: mamba_conv_bias=true mamba_d_conv=4 mamba_expand=2 mamba_n_groups=1
  num_experts_per_tok=2 num_local_experts=8 shared_intermediate_size=1024
  tie_word_embeddings=false
granitemoeshared: num_experts_per_tok=2 num_local_experts=8 shared_intermediate_size=0
  tie_word_embeddings=false
helium: head_dim=128 num_key_value_heads=20 tie_word_embeddings=false
hunyuan_v1_dense: tie_word_embeddings=false use_qk_norm=true
hunyuan_v1_moe: num_experts=1 tie_word_embeddings=false use_qk_norm=true num_shared_expert=1
hy_v3: head_dim=128 moe_intermediate_size=1536 num_experts=192 num_experts_per_tok=8
  num_key_value_heads=8 num_shared_experts=1 tie_word_embeddings=false first_k_dense_replace=1
hyperclovax: tie_word_embeddings=false use_post_norm=true
internlm3: head_dim=128 num_key_value_heads=2 tie_word_embeddings=false
iquestcoder: head_dim=128 num_key_value_heads=8 tie_word_embeddings=false
jais2: attention_bias=true mlp_bias=true tie_word_embeddings=false
jamba: attn_layer_offset=4 attn_layer_period=8 expert_layer_offset=1 expert_layer_period=2
  mamba_conv_bias=true mamba_d_conv=4 mamba_dt_rank=auto mamba_expand=2 num_experts=16
  num_experts_per_tok=2 num_key_value_heads=8 tie_word_embeddings=false
jetmoe: num_experts_per_tok=2 num_key_value_heads=16 num_local_experts=8 tie_word_embeddings=true
kimi_linear: linear_head_dim=128 linear_num_heads=32 moe_intermediate_size=1024
  num_key_value_heads=32 tie_word_embeddings=false first_k_dense_replace=1
kolibri1: head_dim=128 moe_intermediate_size=512 num_experts_per_tok=6 num_key_value_heads=4
  tie_word_embeddings=false
laguna: head_dim=128 moe_intermediate_size=512 num_experts=256 num_experts_per_tok=8
  num_key_value_heads=8 tie_word_embeddings=false first_k_dense_replace=1
lara_mini: head_dim=128 moe_intermediate_size=512 num_experts=128 num_experts_per_tok=4
  num_key_value_heads=4 tie_word_embeddings=true
lfm2: block_auto_adjust_ff_dim=true block_ffn_dim_multiplier=1.0 block_multiple_of=256
  conv_L_cache=3 conv_bias=false hidden_size=2560 intermediate_size=12288
  max_position_embeddings=128000 num_attention_heads=32 num_hidden_layers=32 num_key_value_heads=8
  tie_word_embeddings=true vocab_size=65536
lfm2_moe: conv_L_cache=3 conv_bias=false moe_intermediate_size=1792 num_dense_layers=2
  num_experts=32 num_experts_per_tok=4 num_key_value_heads=8 tie_word_embeddings=true
lfm3: conv_L_cache=7 conv_bias=false head_dim=128 num_key_value_heads=4 tie_word_embeddings=true
  use_attention_gate=true use_sandwich_norm=true
llama: hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048
  num_attention_heads=32 num_hidden_layers=32 tie_word_embeddings=false vocab_size=32000
llama4_text: attention_chunk_size=8192 head_dim=128 hidden_size=5120 interleave_moe_layer_step=1
  intermediate_size=8192 intermediate_size_mlp=16384 max_position_embeddings=131072
  no_rope_layer_interval=4 num_attention_heads=40 num_experts_per_tok=1 num_hidden_layers=48
  num_key_value_heads=8 num_local_experts=16 tie_word_embeddings=false use_qk_norm=true
  vocab_size=202048
longcat_flash: head_dim=64 n_routed_experts=512 tie_word_embeddings=false zero_expert_num=256
mamba: conv_kernel=4 expand=2 tie_word_embeddings=true time_step_rank=auto use_bias=false
  use_conv_bias=true
mamba2: conv_kernel=4 expand=2 head_dim=64 n_groups=8 tie_word_embeddings=false
  time_step_rank=auto use_bias=false use_conv_bias=true
mellum: head_dim=128 moe_intermediate_size=896 num_experts_per_tok=8 num_key_value_heads=4
  tie_word_embeddings=false
mimo_v2_flash: head_dim=192 moe_intermediate_size=2048 n_routed_experts=256 num_experts_per_tok=8
  num_key_value_heads=4 tie_word_embeddings=false first_k_dense_replace=1
minicpm3: num_key_value_heads=40 tie_word_embeddings=true
minimax: num_experts_per_tok=2 num_key_value_heads=8 num_local_experts=8 tie_word_embeddings=false
minimax_m2: head_dim=128 num_experts_per_tok=8 num_key_value_heads=8 num_local_experts=256
  tie_word_embeddings=false
minimax_m3_vl_text: dense_intermediate_size=12288 head_dim=128 hidden_size=6144
  index_block_size=128 index_head_dim=128 index_n_heads=4 index_topk_blocks=16
  intermediate_size=3072 max_position_embeddings=524288 num_attention_heads=64
  num_experts_per_tok=4 num_hidden_layers=60 num_key_value_heads=4 num_local_experts=128
  shared_intermediate_size=3072 tie_word_embeddings=false vocab_size=200064
ministral: num_key_value_heads=8 tie_word_embeddings=false
ministral3: head_dim=128 hidden_size=4096 intermediate_size=14336 max_position_embeddings=262144
  num_attention_heads=32 num_hidden_layers=34 num_key_value_heads=8 tie_word_embeddings=false
  vocab_size=131072
mistral: hidden_size=4096 intermediate_size=14336 max_position_embeddings=131072
  num_attention_heads=32 num_hidden_layers=32 num_key_value_heads=8 sliding_window=4096
  tie_word_embeddings=false vocab_size=32000
mixtral: hidden_size=4096 intermediate_size=14336 max_position_embeddings=131072
  num_attention_heads=32 num_experts_per_tok=2 num_hidden_layers=32 num_key_value_heads=8
  num_local_experts=8 tie_word_embeddings=false vocab_size=32000
mllama_text_model: hidden_size=4096 intermediate_size=14336 max_position_embeddings=131072
  num_attention_heads=32 num_hidden_layers=40 num_key_value_heads=8 tie_word_embeddings=false
  vocab_size=128256
mpt: expansion_ratio=4 learned_pos_emb=true no_bias=true norm_type=low_precision_layernorm
  tie_word_embeddings=true
muse_glimmer_text: head_dim=128 hidden_size=6656 intermediate_size=19968
  max_position_embeddings=131072 num_attention_heads=32 num_hidden_layers=52 num_key_value_heads=2
  sliding_window=2048 tie_word_embeddings=false vocab_size=202048
nanochat: tie_word_embeddings=false
nemotron: tie_word_embeddings=false
nemotron_h: conv_kernel=4 expand=2 head_dim=128 mamba_ssm_cache_dtype=float32
  moe_intermediate_size=7688 moe_shared_expert_intermediate_size=7688 n_groups=8
  n_routed_experts=8 n_shared_experts=1 num_experts_per_tok=2 num_key_value_heads=8
  tie_word_embeddings=false use_bias=false use_conv_bias=true
olmo: tie_word_embeddings=false
olmo2: tie_word_embeddings=false
olmo3: tie_word_embeddings=false
olmo_hybrid: tie_word_embeddings=false
olmoe: num_experts=64 num_experts_per_tok=8 tie_word_embeddings=false
opt: _remove_final_layer_norm=false do_layer_norm_before=true enable_bias=true
  layer_norm_elementwise_affine=true tie_word_embeddings=true
persimmon: qk_layernorm=true tie_word_embeddings=false
phi: qk_layernorm=false tie_word_embeddings=false
phi3: tie_word_embeddings=false
phimoe: lm_head_bias=false num_experts_per_tok=2 num_key_value_heads=8 num_local_experts=16
  tie_word_embeddings=false
qwen2: hidden_size=4096 intermediate_size=22016 max_position_embeddings=32768 max_window_layers=28
  num_attention_heads=32 num_hidden_layers=32 num_key_value_heads=32 sliding_window=4096
  tie_word_embeddings=false use_sliding_window=false vocab_size=151936
qwen2_moe: decoder_sparse_step=1 max_window_layers=28 moe_intermediate_size=1408 num_experts=60
  num_experts_per_tok=4 num_key_value_heads=16 qkv_bias=true tie_word_embeddings=false
  use_sliding_window=false
qwen3: head_dim=128 hidden_size=4096 intermediate_size=22016 max_position_embeddings=32768
  max_window_layers=28 num_attention_heads=32 num_hidden_layers=32 num_key_value_heads=32
  sliding_window=4096 tie_word_embeddings=false use_sliding_window=false vocab_size=151936
qwen3_5_moe_text: head_dim=256 hidden_size=2048 linear_conv_kernel_dim=4 linear_key_head_dim=128
  linear_num_key_heads=16 linear_num_value_heads=32 linear_value_head_dim=128
  max_position_embeddings=32768 moe_intermediate_size=512 num_attention_heads=16 num_experts=256
  num_experts_per_tok=8 num_hidden_layers=40 num_key_value_heads=2
  shared_expert_intermediate_size=512 tie_word_embeddings=false vocab_size=248320
qwen3_5_text: head_dim=256 hidden_size=4096 intermediate_size=12288 linear_conv_kernel_dim=4
  linear_key_head_dim=128 linear_num_key_heads=16 linear_num_value_heads=32
  linear_value_head_dim=128 max_position_embeddings=32768 num_attention_heads=16
  num_hidden_layers=32 num_key_value_heads=4 tie_word_embeddings=false vocab_size=248320
qwen3_moe: decoder_sparse_step=1 hidden_size=2048 intermediate_size=6144
  max_position_embeddings=32768 moe_intermediate_size=768 num_attention_heads=32
  num_experts_per_tok=8 num_hidden_layers=24 num_key_value_heads=4 sliding_window=4096
  tie_word_embeddings=false use_sliding_window=false vocab_size=151936
qwen3_next: decoder_sparse_step=1 head_dim=256 moe_intermediate_size=512 num_experts=512
  num_experts_per_tok=10 num_key_value_heads=2 tie_word_embeddings=false
recurrent_gemma: attention_window_size=2048 block_types=recurrent,recurrent,attention
  conv1d_width=4 tie_word_embeddings=true
rwkv: tie_word_embeddings=false
sarvam_mla: first_k_dense_replace=1 moe_intermediate_size=2048 n_routed_experts=128
  n_shared_experts=1 num_experts_per_tok=8 tie_word_embeddings=false
sarvam_moe: first_k_dense_replace=1 head_dim=64 moe_intermediate_size=1024 n_routed_experts=128
  n_shared_experts=1 num_experts_per_tok=6 num_key_value_heads=4 tie_word_embeddings=false
  use_qk_norm=true
seed_oss: attention_bias=true attention_out_bias=false head_dim=128 num_key_value_heads=8
  tie_word_embeddings=false
smollm3: no_rope_layer_interval=4 num_key_value_heads=4 tie_word_embeddings=true
  use_sliding_window=false
solar_open: head_dim=128 moe_intermediate_size=1280 n_routed_experts=128 n_shared_experts=1
  num_experts_per_tok=8 num_key_value_heads=8 tie_word_embeddings=false
stablelm: num_key_value_heads=32 qk_layernorm=false tie_word_embeddings=false
  use_parallel_residual=false use_qkv_bias=false
starcoder2: num_key_value_heads=2 tie_word_embeddings=true use_bias=true
vaultgemma: head_dim=256 num_key_value_heads=4 tie_word_embeddings=true
xglm: attention_heads=16 tie_word_embeddings=true
youtu: num_key_value_heads=16 tie_word_embeddings=true
"""
