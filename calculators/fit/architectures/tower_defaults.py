"""Values that the classes of vision and audio towers give to absent keys.
Read from transformers 5.24.0."""

TOWERS = """
muse_glimmer_vision: hidden_size=1536 intermediate_size=8960 max_position_embeddings=1024
  num_attention_heads=16 num_hidden_layers=50 patch_size=14 patch_temporal=2 pos_emb_height=32
  pos_emb_width=32
gemma4_audio: attention_chunk_size=12 conv_kernel_size=5 hidden_size=1024 num_attention_heads=8
  num_hidden_layers=12 output_proj_dims=1536 subsampling_conv_channels=128,32
clip_vision_model: hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12
  num_channels=3 num_hidden_layers=12 patch_size=32
siglip_vision_model: hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12
  num_channels=3 num_hidden_layers=12 patch_size=16 vision_use_head=true
siglip2_vision_model: hidden_size=768 intermediate_size=3072 num_attention_heads=12 num_channels=3
  num_hidden_layers=12 num_patches=256 patch_size=16 vision_use_head=true
pixtral: hidden_size=1024 image_size=1024 intermediate_size=4096 num_attention_heads=16
  num_channels=3 num_hidden_layers=24 patch_size=16
internvl_vision: hidden_size=1024 image_size=448,448 intermediate_size=4096 norm_type=layer_norm
  num_attention_heads=16 num_channels=3 num_hidden_layers=24 patch_size=14,14
  use_absolute_position_embeddings=true use_mean_pooling=true use_qk_norm=false
idefics3_vision: hidden_size=1152 image_size=224 intermediate_size=3072 num_attention_heads=16
  num_channels=3 num_hidden_layers=12 patch_size=32
smolvlm_vision: hidden_size=1152 image_size=224 intermediate_size=3072 num_attention_heads=16
  num_channels=3 num_hidden_layers=12 patch_size=32
llama4_vision_model: hidden_size=768 image_size=448 intermediate_size=5632 num_attention_heads=16
  num_channels=3 num_hidden_layers=34 patch_size=14 projector_input_dim=4096
  projector_output_dim=4096 vision_output_dim=7680
mllama_vision_model: attention_heads=16 hidden_size=1280 image_size=448 intermediate_size=5120
  max_num_tiles=4 num_channels=3 num_global_layers=8 num_hidden_layers=32 patch_size=14
  vision_output_dim=7680
qwen2_audio_encoder: d_model=1280 encoder_ffn_dim=5120 encoder_layers=32 max_source_positions=1500
  num_mel_bins=128
voxtral_encoder: hidden_size=1280 intermediate_size=5120 max_source_positions=1500
  num_attention_heads=20 num_hidden_layers=32 num_mel_bins=128 vocab_size=51866
kimi_k25_vision: hidden_size=1152 intermediate_size=4304 merge_kernel_size=2,2
  num_attention_heads=16 num_hidden_layers=27 patch_size=14 pos_emb_height=64 pos_emb_width=64
gemma4_vision: head_dim=64 hidden_size=768 intermediate_size=3072 max_position_embeddings=131072
  num_attention_heads=12 num_hidden_layers=16 num_key_value_heads=12 patch_size=16
  position_embedding_size=10240
minimax_m3_vl_vision: hidden_size=1280 image_size=2016 intermediate_size=5120
  num_attention_heads=16 num_channels=3 num_hidden_layers=32 patch_size=14 spatial_merge_size=2
  temporal_patch_size=2
glm4v_vision: depth=24 hidden_size=1536 image_size=336 in_channels=3 intermediate_size=13696
  num_heads=12 out_hidden_size=4096 patch_size=14 spatial_merge_size=2 temporal_patch_size=2
glm4v_moe_vision: depth=24 hidden_size=1536 image_size=336 in_channels=3 intermediate_size=13696
  num_heads=12 out_hidden_size=4096 patch_size=14 spatial_merge_size=2 temporal_patch_size=2
qwen2_vl_vision: depth=32 embed_dim=1280 hidden_size=3584 in_channels=3 mlp_ratio=4 num_heads=16
  patch_size=14 spatial_merge_size=2 temporal_patch_size=2
qwen2_5_vl_vision: depth=32 hidden_size=3584 in_channels=3 intermediate_size=3420 num_heads=16
  out_hidden_size=3584 patch_size=14 spatial_merge_size=2 temporal_patch_size=2 window_size=112
qwen3_vl_vision: deepstack_visual_indexes=8,16,24 depth=27 hidden_size=1152 in_channels=3
  intermediate_size=4304 num_heads=16 num_position_embeddings=2304 out_hidden_size=3584
  patch_size=16 spatial_merge_size=2 temporal_patch_size=2
qwen3_5_vision: depth=27 hidden_size=1152 in_channels=3 intermediate_size=4304 num_heads=16
  num_position_embeddings=2304 out_hidden_size=3584 patch_size=16 spatial_merge_size=2
  temporal_patch_size=2
"""
