import { zipSync } from 'fflate';
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { LIST_IDS, type ListId } from '../../functions/domain/screening/lists.ts';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import { FAULTS, type ListEdits, OPEN_LISTS } from './lists/edits.ts';
import { type FileName, isFileName, listFile, listOf } from './lists/files.ts';
import { change } from './store.ts';
import type { World } from './world.ts';

const KEY = 'lists/edits';

const ListIds = z.enum(LIST_IDS);
const Person = z.object({ name: z.string().regex(/\S+ \S+/), birthDate: z.iso.date() });
const Faults = z.partialRecord(ListIds, z.enum(FAULTS));
type Stored = {
  /** People by list and id: those that a test added. Null for a person that a test removed. */
  people: Record<string, z.infer<typeof Person> | null>;
  faults: z.infer<typeof Faults>;
};
const NOTHING: Stored = { people: {}, faults: {} };

const personKey = (list: ListId, id: string) => `${list}/${id}`;

async function readEdits({ store }: World): Promise<ListEdits> {
  const { people, faults } = (await store.get<Stored>(KEY))?.value ?? NOTHING;
  return {
    faults,
    isRemoved: (list, id) => people[personKey(list, id)] === null,
    added: (list) =>
      Object.entries(people).flatMap(([key, person]) => {
        const [of, id = ''] = key.split('/');
        return of === list && person ? [{ id, ...person }] : [];
      }),
  };
}

/**
 * Serves the files of the sanctions and PEP lists. The first segment of a path is the publisher's name in
 * `PUBLISHERS`: `functions/domain/screening/lists.ts`.
 */
export function lists(world: World): Hono {
  const app = new Hono();
  app.get('/ofac/:file', (c) => {
    // As OFAC's real service does, this refuses a caller without a user agent, and redirects to a path for
    // the files.
    if (!c.req.header('user-agent')) return c.text('Forbidden', 403);
    return isFileName(c.req.param('file').toLowerCase())
      ? redirect(c, `files/${c.req.param('file')}`)
      : c.notFound();
  });
  app.get('/ofac/files/:file', (c) => serve(c, world, { file: c.req.param('file'), type: 'text/csv' }));
  app.get('/un/resources/xml/en/consolidated.xml', (c) =>
    serve(c, world, { file: 'un_consolidated.xml', type: 'text/xml' }),
  );
  app.get('/portal/download-de-dados/:register', (c) => page(c, world));
  app.get('/portal/download-de-dados/:register/:period', (c) => {
    const { register, period } = c.req.param();
    return redirect(c, `../../files/${period}_${register.toUpperCase()}.zip`);
  });
  app.get('/portal/files/:archive', (c) => archive(c, world));
  return app;
}

/**
 * Redirects to a relative address. The path of a deployed sandbox begins with its API's stage, which API
 * Gateway removes before this code runs.
 */
const redirect = (c: Context, location: string) => c.body(null, 302, { location });

const REGISTERS: Record<string, FileName> = { ceis: 'ceis.csv', cnep: 'cnep.csv', pep: 'pep.csv' };

/**
 * The date in the name of the newest file: today as `AAAAMMDD`. For the register of politically exposed
 * persons (PEP) it is the previous month as `AAAAMM`.
 */
function newestOf(register: string, { now }: World): string {
  const today = dayInBrasilia(now().getTime());
  if (register !== 'pep') return today.replaceAll('-', '');
  const [year = 0, month = 1] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 2)).toISOString().slice(0, 7).replace('-', '');
}

function page(c: Context, world: World) {
  const register = c.req.param('register') ?? '';
  if (!REGISTERS[register]) return c.notFound();
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{0,2})$/.exec(newestOf(register, world)) ?? [];
  const fields = [`"ano" : "${year}"`, `"mes" : "${month}"`, `"dia" : "${day}"`];
  const entry = `{${fields.join(', ')}, "origem" :  "${register.toUpperCase()}"}`;
  return c.html(`<script>\n    var arquivos = [];\n\n        arquivos.push(${entry});\n</script>`);
}

/** Serves the newest archive of a register. Answers 403 for any other date, as the publisher does. */
async function archive(c: Context, world: World) {
  const [, period = '', register = ''] = /^(\d+)_(\w+)\.zip$/.exec(c.req.param('archive') ?? '') ?? [];
  const file = REGISTERS[register.toLowerCase()];
  if (!file || period !== newestOf(register.toLowerCase(), world)) return c.text('Forbidden', 403);
  return serve(c, world, { file, type: 'application/zip', zipped: `${period}_${register}.csv` });
}

type Served = { file: string; type: string; zipped?: string };

async function serve(c: Context, world: World, { file, type, zipped }: Served) {
  const name = file.toLowerCase();
  if (!isFileName(name)) return c.notFound();
  const edits = await readEdits(world);
  const bytes = listFile(name, edits);
  const fault = edits.faults[listOf(name)];
  if (fault === 'DOWN') return c.text('Service Unavailable', 503);
  if (fault === 'PAGE') return c.html('<html><body>Are you a robot?</body></html>');
  const sound = zipped ? zip(zipped, bytes) : bytes;
  return c.body(new Uint8Array(damaged(sound, fault)), 200, { 'content-type': type });
}

/**
 * Makes an archive with one file. The file's date is fixed and has no time zone, so the bytes are the same on
 * every machine.
 */
const zip = (name: string, bytes: Uint8Array) =>
  zipSync({ [name]: [bytes, { mtime: new Date(2026, 10, 1) }] });

function damaged(bytes: Uint8Array, fault: ListEdits['faults'][ListId]): Uint8Array {
  if (fault === 'EMPTY') return new Uint8Array();
  if (fault === 'CUT') return bytes.subarray(0, Math.floor(bytes.length / 2));
  if (fault !== 'ALTERED') return bytes;
  // Inverts the byte in the middle. In a zip archive this damages the content. In a text it makes the UTF-8
  // invalid.
  return bytes.map((byte, at) => (at === Math.floor(bytes.length / 2) ? byte ^ 0xff : byte));
}

export function listsControl(world: World): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    if (error instanceof z.ZodError) return c.json({ error: z.prettifyError(error) }, 400);
    throw error;
  });
  const edit = (next: (now: Stored) => Stored) =>
    change<Stored>(world.store, KEY, (now) => next(now ?? NOTHING));
  app.get('/', async (c) => c.json((await world.store.get<Stored>(KEY))?.value ?? NOTHING));
  app.put('/faults', async (c) => {
    const faults = Faults.parse(await c.req.json());
    return c.json(await edit((now) => ({ ...now, faults })));
  });
  app.put('/people/:list/:id', async (c) => {
    const list = z.enum(OPEN_LISTS).parse(c.req.param('list'));
    const person = Person.parse(await c.req.json());
    return c.json(await edit(withPerson(personKey(list, c.req.param('id')), person)));
  });
  app.delete('/people/:list/:id', async (c) => {
    const list = ListIds.parse(c.req.param('list'));
    return c.json(await edit(withPerson(personKey(list, c.req.param('id')), null)));
  });
  return app;
}

const withPerson = (key: string, person: Stored['people'][string]) => (now: Stored) => ({
  ...now,
  people: { ...now.people, [key]: person },
});
