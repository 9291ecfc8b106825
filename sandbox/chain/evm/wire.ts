/** An error that a node answers. Its messages have geth's words, which most nodes use. */
export class NodeError extends Error {
  readonly code: number;
  readonly data: string | undefined;

  constructor(message: string, code = -32000, data?: string) {
    super(message);
    this.name = 'NodeError';
    this.code = code;
    this.data = data;
  }
}

export const toHex = (value: number | bigint) => `0x${value.toString(16)}`;

export const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
