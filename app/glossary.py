"""Terms that an engineer uses, in words for everyone."""

TERMS: dict[str, str] = {
    "Acceptance": "The share of a small model's drafted tokens that the large model keeps.",
    "Activations": "Intermediate results while a model works on a token; they need memory for a "
    "moment.",
    "API": "A model that a provider runs; you pay for each million tokens that go in and come out.",
    "Arithmetic intensity": "Operations that a piece of work does for each byte that it reads. "
    "Little of it means waiting for memory.",
    "Attention": "The part of a model that looks back over the conversation. Several heads do so "
    "side by side.",
    "Autoscaling": "Replicas start and stop with the demand, so that quiet hours are not paid for.",
    "Band": "How far measurements lie from the prediction: two thirds of them within it.",
    "Bandwidth": "Bytes that a card reads from its own memory in a second. It limits how fast an "
    "answer is written.",
    "Batch": "Conversations that a card works on at the same time. One reading of the weights "
    "serves all of them, so a fuller batch makes each token cheaper, until memory or arithmetic "
    "runs out.",
    "Bits": "How finely each weight is stored: 16 in the original, 8 or 4 when it is compressed. "
    "Half the bits, half the memory.",
    "Block": "A fixed piece of cache, often 16 tokens; memory is given out in whole blocks.",
    "Bound": "A figure from plain arithmetic with data-sheet limits: no real system passes it.",
    "Break-even": "The volume at which both bills are equal.",
    "Burst": "The share of the traffic that goes to the API because your own cards are full or not "
    "meant for it.",
    "Calibrated": "A figure from the model of a step, its constants fitted to measurements.",
    "Card": "One accelerator (GPU or the like) with its own memory.",
    "Colocation": "Renting floor space, power and cooling for machines of your own.",
    "Context": "Tokens that one conversation may hold: what was said and what is answered.",
    "Continuous batching": "A new conversation takes a free place at once, instead of waiting "
    "until a whole batch has ended.",
    "Decode": "Writing the answer, one token a step. Memory bandwidth limits it.",
    "Discount rate": "How much less a payment weighs when it comes a year later.",
    "Draft model": "A small model that guesses the next tokens for a large one to check.",
    "Duty cycle": "The share of the paid time in which a card does work.",
    "Engine": "The software that serves a model, such as vLLM, SGLang, TensorRT-LLM or llama.cpp.",
    "Expert": "A part of a model of which only a few are used for each token.",
    "Few-shot": "Solved examples that a test shows before its question; results compare only with "
    "equally many.",
    "Flip": "The value of one input at which the answer turns, all else equal.",
    "FLOP": "One arithmetic operation. Cards are rated in trillions of them a second (TFLOP/s).",
    "Format": "How many bits store a weight, and in which way. Fewer bits need less memory and "
    "lose some quality.",
    "GiB": "1,073,741,824 bytes, the unit in which memory is counted; 7 % more than a GB.",
    "GQA": "Grouped-query attention: several heads share one entry of the cache, which is smaller.",
    "Group": "Neighbouring weights that share one scale when they are stored in few bits.",
    "Hardware cost": "Cards alone: rent, or loss of value with electricity and floor space. People "
    "are not in it.",
    "Horizon": "The months over which the ways to pay are compared.",
    "KL divergence": "How far a compressed model's guesses lie from the original's; 0 is the same.",
    "KV cache": "What a model keeps of the conversation so far, so that it need not read it again. "
    "It grows with each token and takes memory beside the weights.",
    "Latency": "How long one waits: for the first token, and for each further one.",
    "Layer": "One of the stages, often 30 to 100, through which every token passes in a model.",
    "Load": "The share of its speed that a replica uses; near 100 % queues grow without end.",
    "Marginal cost": "What one more unit costs when cards and people are already there.",
    "Median": "The middle value: half of the others are below it, half above.",
    "Mixture of experts": "A model that uses a part of its weights for each token (MoE).",
    "MLA": "Multi-head latent attention: the cache holds one short vector a token for all heads.",
    "Monte Carlo": "Many plans, each with every uncertain input drawn at random from its range: "
    "how often does which side win?",
    "Objective": "The longest wait that you accept, for the first token and for each further one.",
    "On demand": "Cards rented by the hour, without a term.",
    "Outlier": "A weight or activation far larger than its neighbours; it makes few-bit storage "
    "coarse for all of them.",
    "Overhead": "What is neither weights nor cache: the memory and time that the software takes "
    "for itself.",
    "Override": "A figure of your own that is used instead of the catalog's; it is marked wherever "
    "it counts.",
    "P10 and P90": "The values that are passed downwards, or upwards, one time in ten.",
    "Paging": "Cache memory handed out in small blocks as a conversation grows, instead of its "
    "full length at the start.",
    "Parameters": "The count of a model's weights: 70 billion for a 70B model.",
    "Peak to mean": "The busiest hour of the week over the mean hour.",
    "Perplexity": "How surprised a model is by real text; lower is better, and compression raises "
    "it.",
    "Pipeline parallel": "One replica cut into stages on several cards, each working on other "
    "conversations.",
    "Prefill": "Reading the prompt, all tokens at once. Arithmetic limits it.",
    "Prefix": "The start of a prompt that requests share, such as instructions; kept only once.",
    "Present value": "What later payments are worth today: the later, the less.",
    "Prompt": "What is sent to the model: instructions, documents, the question.",
    "PUE": "Power of the whole building over that of its machines.",
    "Quantization": "Storing a model in fewer bits: smaller and faster, with some loss of quality.",
    "Reference arithmetic": "The usual back-of-the-envelope estimate: weights alone at 0.7 of what "
    "the data sheet says. It is too hopeful.",
    "Replica": "A complete copy of the model on one or several cards.",
    "Request": "One question with its answer.",
    "Reserved": "Cards rented for a year or more: cheaper by the hour, and owed to the end of the "
    "term.",
    "Residual": "What a card is worth when it is sold.",
    "Ridge": "Operations a byte at which a card's arithmetic and memory are in balance.",
    "Roofline": "The most that a card can compute, given the arithmetic that each byte allows.",
    "Seed": "The number that fixes the random draws, so that the same link gives the same figures.",
    "Sequence": "One conversation as the card sees it: its prompt and the answer so far.",
    "Spare": "A replica that runs without traffic, for the case that another one fails.",
    "Speculative decoding": "A small model drafts tokens, the large one checks them in one pass.",
    "Spot": "Cards that are cheaper and can be taken away at any time.",
    "Stale": "A price that was read more than 90 days ago.",
    "Standard error": "How far a result would move by chance alone if the test were repeated.",
    "Step": "One pass through the model that gives every conversation of the batch one more token.",
    "Tensor parallel": "One replica cut over several cards, all of which work on each token.",
    "Throughput": "Tokens a second of a whole replica, all its users together.",
    "Token": "A piece of a word: about four characters of English.",
    "Tornado": "Bars that show how much each uncertain input alone moves the result, the widest on "
    "top.",
    "TPOT": "Time per output token: how fast an answer appears.",
    "TTFT": "Time to first token: how long until an answer begins.",
    "Upkeep": "The people who run the service: on call, updates, new models.",
    "Weights": "The numbers that make up a model; they must be in memory to use it.",
    "Window": "How far back a layer looks; beyond it nothing more is kept.",
}

# Other spellings under which a term is linked. Plurals with s and a capital at the beginning are
# known by themselves.
SPELLINGS: dict[str, tuple[str, ...]] = {
    "Acceptance": ("acceptance rate",),
    "Activations": ("activation",),
    "Attention": ("attention head",),
    "Autoscaling": ("autoscale",),
    "Batch": ("batches", "at once"),
    "Bits": ("bit", "bits per weight"),
    "Break-even": ("cross", "crossing"),
    "Decode": ("decoding",),
    "Draft model": ("draft",),
    "Duty cycle": ("duty",),
    "Expert": ("experts per token",),
    "Flip": ("turns the answer", "turn the answer"),
    "FLOP": ("TFLOP", "TFLOP/s", "FLOP/byte", "FLOP per byte"),
    "Format": ("weight format", "cache format"),
    "Hardware cost": ("hardware",),
    "KV cache": ("cache", "KV"),
    "Marginal cost": ("marginal",),
    "Mixture of experts": ("MoE",),
    "Objective": ("SLO",),
    "On demand": ("on-demand",),
    "Override": ("overridden",),
    "P10 and P90": ("P10", "P50", "P90"),
    "Paging": ("paged",),
    "Parameters": ("parameter",),
    "Present value": ("NPV",),
    "Quantization": ("quantized", "quantize"),
    "Reserved": ("reservation",),
    "Residual": ("residual value",),
    "Speculative decoding": ("speculation",),
    "Throughput": ("output speed",),
    "TPOT": ("time per output token",),
    "TTFT": ("time to first token", "first token"),
    "Weights": ("weight",),
}
