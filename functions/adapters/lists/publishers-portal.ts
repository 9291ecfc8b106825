/** Downloads the registers of Portal da Transparência, which keeps only the newest file of each register. */
import { Unavailable } from '../../domain/errors.ts';
import { dayInBrasilia } from '../../domain/time.ts';
import { download } from './download.ts';
import { type FindOptions, type FoundFiles, publishedFile } from './list-format.ts';

export type Register = 'CEIS' | 'CNEP' | 'PEP';

const ENTRY = /arquivos\.push\(\s*\{([^}]{0,400})\}\s*\)/g;
const MONTHLY: readonly Register[] = ['PEP'];
const DAYS_BACK = 3;
const MONTHS_BACK = 2;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Downloads the newest file of a register. The register's page names the date of that file. If the page
 * cannot be read, or that file is missing, this tries the dates of the last days. For a monthly register it
 * tries the last months.
 */
export async function findRegister(register: Register, options: FindOptions): Promise<FoundFiles> {
  const page = `${options.address}/download-de-dados/${register.toLowerCase()}`;
  const named = await newestOnPage(page, register, options);
  const guessed = periodsBefore(register, dayInBrasilia(options.clock.now()));
  for (const period of new Set([...named, ...guessed])) {
    const digits = period.replaceAll('-', '');
    const file = `${digits}_${register}.zip`;
    const wanted = { url: `${page}/${digits}`, name: file, accept: 'application/zip' };
    const bytes = await download(wanted, options);
    if (bytes) return { version: period, files: [publishedFile(file, bytes)] };
  }
  throw new Unavailable(`the newest ${register}`);
}

async function newestOnPage(url: string, register: Register, options: FindOptions): Promise<string[]> {
  const wanted = { url, name: `the page of ${register}`, accept: 'text/html', maxBytes: MAX_PAGE_BYTES };
  // If the page cannot be downloaded, the caller tries the last dates. If the whole portal is down, these
  // downloads fail as well and report the reason.
  const bytes = await download(wanted, options).catch(() => undefined);
  return bytes ? newestPeriods(register, Buffer.from(bytes).toString('latin1')) : [];
}

/**
 * The newest date in the script of the download page, ISO: a day, or a month for a monthly register. Empty if
 * the page has none.
 */
export function newestPeriods(register: Register, page: string): string[] {
  const periods = [...page.matchAll(ENTRY)].flatMap(
    ([, fields = '']) => registerPeriod(register, fields) ?? [],
  );
  return periods.sort().slice(-1);
}

function registerPeriod(register: Register, fields: string): string | undefined {
  const read = (key: string) => new RegExp(`"${key}"\\s*:\\s*"(\\d{2,4})"`).exec(fields)?.[1];
  const [year, month, day] = [read('ano'), read('mes'), read('dia')];
  if (year?.length !== 4 || month?.length !== 2) return undefined;
  if (MONTHLY.includes(register)) return `${year}-${month}`;
  return day?.length === 2 ? `${year}-${month}-${day}` : undefined;
}

/** `today` and the days before it, newest first. For a monthly register, the months. ISO. */
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
