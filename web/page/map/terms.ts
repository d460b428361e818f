/** The terms that the search knows, in both languages, each with the place that shows it: a lab, and a part of its lesson or an example. */
import type { LabId } from "../../config/config.js";

export interface Term {
  en: string;
  "zh-CN": string;
  lab: LabId;
  /** The part of the lab's lesson that explains it. */
  part?: string;
  /** The example that shows it. */
  example?: string;
  /** Other names and abbreviations. */
  also?: readonly string[];
}

export const terms: readonly Term[] = [
  { en: "one-hot row", "zh-CN": "独热向量", lab: "words", part: "one-hot", also: ["one-hot encoding"] },
  { en: "bag of words", "zh-CN": "词袋", lab: "words", part: "bag" },
  { en: "word embedding", "zh-CN": "词嵌入", lab: "words", part: "table", also: ["embedding", "词向量"] },
  { en: "token id", "zh-CN": "词元编号", lab: "words", part: "ids", also: ["token", "词元"] },
  { en: "cosine similarity", "zh-CN": "余弦相似度", lab: "words", part: "near" },
  { en: "word2vec", "zh-CN": "word2vec", lab: "words", part: "word2vec", also: ["skip-gram", "CBOW"] },
  { en: "negative sampling", "zh-CN": "负采样", lab: "words", part: "negative" },
  {
    en: "byte pair encoding",
    "zh-CN": "字节对编码",
    lab: "words",
    part: "ids",
    also: ["BPE", "tokenization", "分词"],
  },

  { en: "attention", "zh-CN": "注意力", lab: "attention", part: "compare" },
  { en: "query", "zh-CN": "查询", lab: "attention", part: "three-rows", also: ["Q"] },
  { en: "key", "zh-CN": "键", lab: "attention", part: "three-rows", also: ["K"] },
  { en: "value", "zh-CN": "值", lab: "attention", part: "mix", also: ["V"] },
  { en: "projection", "zh-CN": "投影", lab: "attention", part: "three-rows", also: ["W_Q", "W_K", "W_V"] },
  { en: "score", "zh-CN": "分数", lab: "attention", part: "compare", also: ["dot product", "点积"] },
  {
    en: "scaled dot-product attention",
    "zh-CN": "缩放点积注意力",
    lab: "attention",
    part: "scale",
    also: ["SDPA"],
  },
  {
    en: "additive attention",
    "zh-CN": "加性注意力",
    lab: "attention",
    example: "additive",
    also: ["Bahdanau"],
  },
  { en: "softmax", "zh-CN": "softmax", lab: "attention", part: "softmax", also: ["归一化指数函数"] },
  { en: "attention weights", "zh-CN": "注意力权重", lab: "attention", part: "softmax" },
  { en: "mask", "zh-CN": "掩码", lab: "attention", part: "mask", also: ["causal mask", "因果掩码"] },
  {
    en: "padding mask",
    "zh-CN": "填充掩码",
    lab: "multi-head",
    example: "padded-samples",
    also: ["padding"],
  },
  { en: "cross attention", "zh-CN": "交叉注意力", lab: "encoder-decoder", part: "ask" },
  { en: "self-attention", "zh-CN": "自注意力", lab: "attention" },

  { en: "scaling by √d_k", "zh-CN": "除以 √d_k", lab: "scaling", part: "divide", also: ["scale", "缩放"] },
  { en: "variance of scores", "zh-CN": "分数的方差", lab: "scaling", part: "variance" },
  { en: "saturated softmax", "zh-CN": "softmax 饱和", lab: "scaling", part: "saturation" },
  { en: "vanishing gradient", "zh-CN": "梯度消失", lab: "scaling", part: "saturation" },

  { en: "head", "zh-CN": "头", lab: "multi-head", part: "several-looks" },
  { en: "multi-head attention", "zh-CN": "多头注意力", lab: "multi-head", part: "split", also: ["MHA"] },
  { en: "output projection", "zh-CN": "输出投影", lab: "multi-head", part: "join", also: ["W_O"] },
  { en: "batch", "zh-CN": "批次", lab: "multi-head", example: "padded-samples" },

  {
    en: "positional encoding",
    "zh-CN": "位置编码",
    lab: "positions",
    part: "clocks",
    also: ["sinusoidal encoding", "正弦位置编码"],
  },
  { en: "position embedding", "zh-CN": "位置嵌入", lab: "positions", part: "learned" },
  { en: "rotary embedding", "zh-CN": "旋转位置编码", lab: "positions", part: "inside", also: ["RoPE"] },
  { en: "ALiBi", "zh-CN": "ALiBi", lab: "positions", part: "inside", also: ["linear bias", "线性偏置"] },
  { en: "relative position", "zh-CN": "相对位置", lab: "positions", part: "distance" },
  {
    en: "learning to reverse",
    "zh-CN": "学会倒序",
    lab: "training",
    example: "learn-to-reverse",
    also: ["reverse order", "反转", "逆序", "翻转", "倒过来"],
  },
  { en: "word order", "zh-CN": "词序", lab: "positions", example: "two-orders" },

  { en: "residual connection", "zh-CN": "残差连接", lab: "block", part: "path", also: ["skip connection"] },
  {
    en: "layer norm",
    "zh-CN": "层归一化",
    lab: "block",
    part: "norm",
    also: ["LayerNorm", "layer normalization"],
  },
  { en: "post-norm", "zh-CN": "后归一化", lab: "block", part: "where", also: ["post-layer norm"] },
  { en: "pre-norm", "zh-CN": "前归一化", lab: "block", example: "pre-norm", also: ["pre-layer norm"] },
  { en: "feed-forward network", "zh-CN": "前馈网络", lab: "block", part: "network", also: ["FFN", "MLP"] },
  {
    en: "ReLU and GELU",
    "zh-CN": "ReLU 与 GELU",
    lab: "block",
    example: "curves",
    also: ["activation", "激活函数"],
  },
  { en: "dropout", "zh-CN": "随机失活", lab: "block", part: "dropout" },
  { en: "encoder layer", "zh-CN": "编码器层", lab: "block", example: "six-layers" },

  { en: "encoder and decoder", "zh-CN": "编码器与解码器", lab: "encoder-decoder", part: "two-stacks" },
  { en: "masked self-attention", "zh-CN": "掩码自注意力", lab: "encoder-decoder", part: "mask" },
  {
    en: "autoregressive",
    "zh-CN": "自回归",
    lab: "encoder-decoder",
    part: "next",
    also: ["greedy", "贪心解码"],
  },
  { en: "logits", "zh-CN": "logits", lab: "encoder-decoder", part: "next", also: ["对数几率"] },
  { en: "KV cache", "zh-CN": "KV 缓存", lab: "encoder-decoder", part: "cache" },
  { en: "memory", "zh-CN": "记忆", lab: "encoder-decoder", part: "two-stacks" },

  { en: "Vision Transformer", "zh-CN": "视觉 Transformer", lab: "vit", also: ["ViT"] },
  { en: "patch", "zh-CN": "图块", lab: "vit", part: "patches" },
  { en: "class token", "zh-CN": "分类词元", lab: "vit", part: "place", also: ["CLS"] },
  { en: "attention map", "zh-CN": "注意力图", lab: "vit", part: "encoder", also: ["attention rollout"] },

  { en: "BERT", "zh-CN": "BERT", lab: "bert" },
  {
    en: "masked language model",
    "zh-CN": "掩码语言模型",
    lab: "bert",
    part: "hide",
    also: ["MLM", "self-supervised", "自监督"],
  },
  { en: "segment embedding", "zh-CN": "片段嵌入", lab: "bert", part: "tables" },
  { en: "bidirectional", "zh-CN": "双向", lab: "bert", part: "both" },

  { en: "cross entropy", "zh-CN": "交叉熵", lab: "losses", part: "cross-entropy", also: ["loss", "损失"] },
  { en: "perplexity", "zh-CN": "困惑度", lab: "losses", part: "surprise" },
  { en: "surprise", "zh-CN": "信息量", lab: "losses", part: "surprise" },
  { en: "label smoothing", "zh-CN": "标签平滑", lab: "losses", part: "smoothing" },
  { en: "KL divergence", "zh-CN": "KL 散度", lab: "losses", part: "divergence", also: ["Kullback–Leibler"] },

  { en: "gradient", "zh-CN": "梯度", lab: "optimizers", part: "slope" },
  { en: "gradient descent", "zh-CN": "梯度下降", lab: "optimizers", part: "step" },
  {
    en: "SGD",
    "zh-CN": "随机梯度下降",
    lab: "optimizers",
    part: "batches",
    also: ["stochastic gradient descent", "mini-batch", "小批量"],
  },
  { en: "momentum", "zh-CN": "动量法", lab: "optimizers", part: "velocity" },
  { en: "AdaGrad", "zh-CN": "AdaGrad", lab: "optimizers", part: "rare" },
  { en: "RMSProp", "zh-CN": "RMSProp", lab: "optimizers", part: "size" },
  { en: "Adam", "zh-CN": "Adam", lab: "optimizers", part: "size" },
  { en: "learning rate", "zh-CN": "学习率", lab: "optimizers", part: "rate" },
  {
    en: "warm-up",
    "zh-CN": "预热",
    lab: "optimizers",
    part: "schedule",
    also: ["warmup", "Noam", "学习率调度"],
  },

  { en: "complexity", "zh-CN": "复杂度", lab: "complexity", part: "counted", also: ["FLOPs", "运算量"] },
  {
    en: "sequential operations",
    "zh-CN": "顺序操作数",
    lab: "complexity",
    part: "order",
    also: ["path length"],
  },
  { en: "recurrent layer", "zh-CN": "循环层", lab: "complexity", part: "four-layers", also: ["RNN"] },
  { en: "convolution", "zh-CN": "卷积", lab: "complexity", part: "four-layers", also: ["CNN"] },
];
