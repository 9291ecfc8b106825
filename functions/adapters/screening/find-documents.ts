import { DOCUMENT_WIDTH, type IndexArrays } from './index-shape.ts';
import { uint32At } from './numbers.ts';

/** The entries with exactly this CPF or CNPJ. */
export function findDocuments({ documentBytes, documentEntries }: IndexArrays, document: string): number[] {
  if (!document || document.length > DOCUMENT_WIDTH) return [];
  const key = Buffer.from(document.padEnd(DOCUMENT_WIDTH), 'latin1');
  const rows = Buffer.from(documentBytes.buffer, documentBytes.byteOffset, documentBytes.length);
  const compareAt = (row: number) =>
    rows.compare(key, 0, DOCUMENT_WIDTH, row * DOCUMENT_WIDTH, (row + 1) * DOCUMENT_WIDTH);
  const found: number[] = [];
  for (
    let row = firstRow(documentEntries.length, (at) => compareAt(at) >= 0);
    row < documentEntries.length;
    row++
  ) {
    if (compareAt(row) !== 0) break;
    found.push(uint32At(documentEntries, row));
  }
  return found;
}

const decoder = new TextDecoder();

/**
 * Finds the entries with the same visible digits of the CPF (the fourth to the ninth). Returns each with the
 * words of its name, which the caller compares.
 */
export function findMasked(arrays: IndexArrays, cpf: string): { entry: number; listed: string[] }[] {
  if (!/^\d{11}$/.test(cpf)) return [];
  const { maskedKeys, maskedEntries, maskedNameOffsets, maskedNameBytes } = arrays;
  const key = Number(cpf.slice(3, 9));
  const found: { entry: number; listed: string[] }[] = [];
  for (
    let row = firstRow(maskedKeys.length, (at) => uint32At(maskedKeys, at) >= key);
    maskedKeys[row] === key;
    row++
  ) {
    const name = maskedNameBytes.subarray(maskedNameOffsets[row], maskedNameOffsets[row + 1]);
    found.push({ entry: uint32At(maskedEntries, row), listed: decoder.decode(name).split(' ') });
  }
  return found;
}

/** The first of `length` sorted rows for which `isReached` is true, found by bisection. */
export function firstRow(length: number, isReached: (row: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
