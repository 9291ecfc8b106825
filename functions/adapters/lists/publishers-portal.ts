/** Which file of a register is the newest at Portal da Transparência. */

export type Register = 'CEIS' | 'CNEP' | 'PEP';

const ENTRY = /arquivos\.push\(\s*\{([^}]{0,400})\}\s*\)/g;
const MONTHLY: readonly Register[] = ['PEP'];
const DAYS_BACK = 3;
const MONTHS_BACK = 2;

/** What the script of the download page names: the newest day, or for a monthly register month; ISO, or nothing. */
export function newestPeriods(register: Register, page: string): string[] {
  const periods = [...page.matchAll(ENTRY)].flatMap(([, fields = '']) => periodOf(register, fields) ?? []);
  return periods.sort().slice(-1);
}

function periodOf(register: Register, fields: string): string | undefined {
  const read = (key: string) => new RegExp(`"${key}"\\s*:\\s*"(\\d{2,4})"`).exec(fields)?.[1];
  const [year, month, day] = [read('ano'), read('mes'), read('dia')];
  if (year?.length !== 4 || month?.length !== 2) return undefined;
  if (MONTHLY.includes(register)) return `${year}-${month}`;
  return day?.length === 2 ? `${year}-${month}-${day}` : undefined;
}

/** The day and those before it, newest first; of a monthly register its months. `today` is ISO. */
export function periodsBefore(register: Register, today: string): string[] {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  const isMonthly = MONTHLY.includes(register);
  const steps = Array.from({ length: (isMonthly ? MONTHS_BACK : DAYS_BACK) + 1 }, (_, back) => back);
  return steps.map((back) =>
    isMonthly
      ? new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7)
      : new Date(Date.UTC(year, month - 1, day - back)).toISOString().slice(0, 10),
  );
}
