"""Names that files give to the same thing; the first that a file holds wins."""

HIDDEN = ("hidden_size", "n_embd", "d_model", "n_embed")
LAYERS = ("num_hidden_layers", "n_layer", "num_layers", "n_layers")
HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads")
KV_HEADS = ("num_key_value_heads", "multi_query_group_num", "num_kv_heads")
WIDTH = ("intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim")
CONTEXT = (
    "max_position_embeddings",
    "n_positions",
    "seq_length",
    "max_seq_len",
    "max_sequence_length",
    "model_max_length",
    "context_length",
    "n_ctx",
)
EXPERTS = ("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts")
TOP_K = (
    "num_experts_per_tok",
    "num_experts_per_token",
    "moe_topk",
    "moe_top_k",
    "moe_k",
    "top_k_experts",
)
MOE_WIDTH = ("moe_intermediate_size", "expert_ffn_hidden_size")
N_SHARED = (
    "n_shared_experts",
    "num_shared_experts",
    "num_shared_expert",
    "moe_num_shared_experts",
)
SHARED_WIDTH = (
    "shared_expert_intermediate_size",
    "shared_intermediate_size",
    "moe_shared_expert_intermediate_size",
)
