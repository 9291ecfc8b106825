/** Ends the command with exit code 2: its words or options are wrong. */
export function misused(message: string): never {
  throw Object.assign(new Error(message), { name: 'Misused' });
}

/** Ends the command with exit code 1: it cannot be done, and nothing was changed. */
export function refused(message: string): never {
  throw Object.assign(new Error(message), { name: 'Refused' });
}

/** Rows as columns. Each column is as wide as its widest cell. */
export function columns(rows: readonly string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

export const instant = (at: number): string => new Date(at).toISOString();
