"""Terms that an engineer uses, in words for everyone."""

TERMS: dict[str, str] = {
    "API": "A model that a provider runs; you pay for each million tokens that go in and come out.",
    "Batch": "Conversations that a card works on at the same time. One reading of the weights "
    "serves all of them, so a fuller batch makes each token cheaper, until memory or arithmetic "
    "runs out.",
    "Band": "How far measurements lie from the prediction: two thirds of them within it.",
    "Bound": "A figure from plain arithmetic at the best case: real systems do worse.",
    "Break-even": "The volume at which both bills are equal.",
    "Calibrated": "A figure from the model of a step, its constants fitted to measurements.",
    "Card": "One accelerator (GPU or the like) with its own memory.",
    "Context": "Tokens that one conversation may hold: what was said and what is answered.",
    "Decode": "Writing the answer, one token a step. Memory bandwidth limits it.",
    "Duty cycle": "The share of the paid time in which a card does work.",
    "Engine": "The software that serves a model, such as vLLM, SGLang, TensorRT-LLM or llama.cpp.",
    "Format": "How many bits store a weight, and in which way. Fewer bits need less memory and "
    "lose some quality.",
    "KV cache": "What a model keeps of the conversation so far, so that it need not read it again. "
    "It grows with each token and takes memory beside the weights.",
    "GQA": "Grouped-query attention: several heads share one entry of the cache, which is smaller.",
    "MLA": "Multi-head latent attention: the cache holds one short vector a token for all heads.",
    "Mixture of experts": "A model that uses a part of its weights for each token (MoE).",
    "Peak to mean": "The busiest hour of the week over the mean hour.",
    "Prefill": "Reading the prompt, all tokens at once. Arithmetic limits it.",
    "Prefix": "The start of a prompt that requests share, such as instructions; kept only once.",
    "PUE": "Power of the whole building over that of its machines.",
    "Replica": "A complete copy of the model on one or several cards.",
    "Residual": "What a card is worth when it is sold.",
    "Roofline": "The most that a card can compute, given the arithmetic that each byte allows.",
    "Speculative decoding": "A small model drafts tokens, the large one checks them in one pass.",
    "Spot": "Cards that are cheaper and can be taken away at any time.",
    "Tensor parallel": "One replica cut over several cards, all of which work on each token.",
    "Token": "A piece of a word: about four characters of English.",
    "TPOT": "Time per output token: how fast an answer appears.",
    "TTFT": "Time to first token: how long until an answer begins.",
    "Upkeep": "The people who run the service: on call, updates, new models.",
    "Weights": "The numbers that make up a model; they must be in memory to use it.",
}
