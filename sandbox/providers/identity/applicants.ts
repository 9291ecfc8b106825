import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { documentNumberOf, documentPersonaOf } from '../persona.ts';
import { findScenario } from '../scenarios.ts';
import { change } from '../store.ts';
import type { World } from '../world.ts';
import { fail } from './problem.ts';
import {
  dateTime,
  endReview,
  isClosed,
  isEnded,
  type Outcome,
  openReview,
  type Review,
  renderReview,
} from './review.ts';

/** A person whom the service submitted for verification. `fixedInfo.tin` is the CPF, if the service gave it. */
export type Applicant = {
  id: string;
  externalUserId: string;
  inspectionId: string;
  createdAt: number;
  fixedInfo: Record<string, unknown>;
  /** Custom data at the applicant, as items `{key, value}`. */
  metadata?: unknown[];
  review: Review;
};

const APPLICANTS = 'identity/applicant';
export const CLIENT_ID = 'onramp-sandbox';
const applicantKey = (externalUserId: string) => `${APPLICANTS}/${externalUserId}`;
const heldKey = (externalUserId: string) => `scenario/held/${externalUserId}`;
type Index = { externalUserId: string };
const indexKey = (id: string) => `identity/applicant-id/${id}`;

export function applicants(world: World): Hono {
  const app = new Hono();
  app.post('/', (c) => createApplicant(c, world));
  app.get('/:selector/one', async (c) => {
    const applicant = await findSelected(c.req.param('selector'), world);
    if (!applicant) fail(404, 'Applicant not found');
    return c.json(renderApplicant(applicant, world));
  });
  return app;
}

export async function findApplicant(externalUserId: string, world: World): Promise<Applicant | undefined> {
  return (await world.store.get<Applicant>(applicantKey(externalUserId)))?.value;
}

export async function allApplicants({ store }: World): Promise<Applicant[]> {
  return (await store.list<Applicant>(APPLICANTS)).map(({ value }) => value);
}

/**
 * The service's own id of the person that a call is about, from the call's path or body. Undefined if the
 * call is about no single person.
 */
export async function personOf(c: Context, { store }: World): Promise<string | undefined> {
  const [, external] = /externalUserId=([^/?]+)/.exec(c.req.path) ?? [];
  const [, applicantId] = /applicantId=(\w+)/.exec(c.req.path) ?? [];
  if (applicantId) return (await store.get<Index>(indexKey(applicantId)))?.value.externalUserId;
  if (external || c.req.method === 'GET') return external;
  const { userId, externalUserId } = await readFields(c);
  const id = userId ?? externalUserId;
  return typeof id === 'string' ? id : undefined;
}

/** Finds an applicant by Sumsub's id, or by the service's id in the form `-;externalUserId=…`. */
export async function findSelected(selector: string, world: World): Promise<Applicant | undefined> {
  const [, external] = /^-;externalUserId=(.+)$/.exec(selector) ?? [];
  const index = external ? undefined : await world.store.get<Index>(indexKey(selector));
  const externalUserId = external ?? index?.value.externalUserId;
  return externalUserId === undefined ? undefined : findApplicant(externalUserId, world);
}

/**
 * Ends the review of a person. `again` also replaces a final result. `ended` is false if the person is
 * unknown, or if the result is final and `again` is not set.
 */
export async function endApplicantReview(
  externalUserId: string,
  outcome: Omit<Outcome, 'endsAt'> & { again?: boolean },
  world: World,
): Promise<{ applicant?: Applicant; ended: boolean }> {
  const { again, ...answer } = outcome;
  const endsAt = world.now().getTime();
  let ended = false;
  const applicant = await change<Applicant>(world.store, applicantKey(externalUserId), (known) => {
    ended = known !== undefined && (again === true || !isClosed(known.review, endsAt));
    if (!known || !ended) return undefined;
    return { ...known, review: endReview(known.review, { ...answer, endsAt }) };
  });
  return { applicant, ended };
}

/**
 * Holds the review of this client until `beginReview`, so that no webhook arrives before the service has
 * answered the submission. An ended review that a scenario plans opens again as a new attempt. Any other
 * ended review stays ended.
 */
export async function holdReview(externalUserId: string, world: World): Promise<void> {
  await world.store.put(heldKey(externalUserId), { isHeld: true });
  const at = world.now().getTime();
  await changeScenario(externalUserId, world, ({ review }) => {
    if (!isClosed(review, at)) return undefined;
    return { ...openReview(review.levelName, at), attempt: review.attempt + 1, isHeld: true };
  });
}

/** Plans the end of a held review from now on, because the service has answered the submission. */
export async function beginReview(externalUserId: string, world: World): Promise<void> {
  await world.store.put(heldKey(externalUserId), { isHeld: false });
  await changeScenario(externalUserId, world, ({ review, fixedInfo }) => {
    const { levelName, attempt, isHeld } = review;
    return isHeld && { ...plannedReview(levelName, fixedInfo.tin, world), attempt };
  });
}

async function changeScenario(
  externalUserId: string,
  { store }: World,
  next: (applicant: Applicant) => Review | undefined,
): Promise<void> {
  await change<Applicant>(store, applicantKey(externalUserId), (known) => {
    const review = known && findScenario(String(known.fixedInfo.tin))?.review && next(known);
    return known && review && { ...known, review };
  });
}

/**
 * Stores custom data at the applicant. The app or page that takes a face may store the face's hash there.
 */
export async function setMetadata(externalUserId: string, metadata: unknown[], world: World) {
  return change<Applicant>(
    world.store,
    applicantKey(externalUserId),
    (known) => known && { ...known, metadata },
  );
}

async function createApplicant(c: Context, world: World): Promise<Response> {
  const levelName = c.req.query('levelName') ?? '';
  requireLevel(levelName, world.settings.identity.levels.identity);
  const { externalUserId, fixedInfo } = await readFields(c);
  if (typeof externalUserId !== 'string' || externalUserId === '') {
    fail(400, 'Property externalUserId must not be empty');
  }
  const isHeld = (await world.store.get<{ isHeld: boolean }>(heldKey(externalUserId)))?.value.isHeld;
  const given = { fixedInfo: applicantFields(fixedInfo), isHeld, world };
  const applicant = newApplicant(externalUserId, levelName, given);

  // The index maps Sumsub's id to the service's id and is written first. If the next write fails, the index
  // alone has no effect, and a repeated call writes it again.
  await world.store.put(indexKey(applicant.id), { externalUserId });
  if (!(await world.store.put(applicantKey(externalUserId), applicant, 0))) {
    fail(409, `Applicant with external user id '${externalUserId}' already exists: ${applicant.id}`);
  }
  return c.json(renderApplicant(applicant, world), 201);
}

type Given = { fixedInfo: Record<string, unknown>; isHeld: boolean | undefined; world: World };

function newApplicant(
  externalUserId: string,
  levelName: string,
  { fixedInfo, isHeld, world }: Given,
): Applicant {
  const createdAt = world.now().getTime();
  const id = applicantIdOf(`applicant ${externalUserId}`);
  const inspectionId = applicantIdOf(`inspection ${externalUserId}`);
  const planned = plannedReview(levelName, fixedInfo.tin, world);
  const isScenario = findScenario(String(fixedInfo.tin))?.review !== undefined;
  const review: Review = isHeld && isScenario ? { ...openReview(levelName, createdAt), isHeld } : planned;
  return { id, externalUserId, inspectionId, createdAt, fixedInfo, review };
}

/**
 * Plans the review of a new applicant. For most CPFs it has already ended with GREEN, as if the person had
 * shown the documents earlier. For some scenarios it ends later. Without a CPF its end is open until the
 * person shows documents.
 */
function plannedReview(levelName: string, tin: unknown, { now, settings }: World): Review {
  const at = now().getTime();
  if (typeof tin !== 'string') return openReview(levelName, at);
  const planned = findScenario(tin)?.review;
  if (!planned) return { ...openReview(levelName, at, { answer: 'GREEN', endsAt: at }), silent: true };
  return openReview(levelName, at, {
    answer: planned.answer,
    ...(planned.answer === 'RED' && { rejectType: 'FINAL' }),
    endsAt: at + planned.minutes * settings.minuteMs,
  });
}

/**
 * The applicant as Sumsub, "Get applicant data", shows it. It contains the data of the document only after
 * the review.
 */
export function renderApplicant(applicant: Applicant, world: World) {
  const { id, externalUserId, inspectionId, createdAt, fixedInfo, metadata, review } = applicant;
  const now = world.now().getTime();
  return {
    id,
    createdAt: dateTime(createdAt),
    clientId: CLIENT_ID,
    inspectionId,
    externalUserId,
    fixedInfo,
    info: isEnded(review, now) ? documentInfo(applicant) : {},
    applicantPlatform: 'API',
    requiredIdDocs: { docSets: [{ idDocSetType: 'IDENTITY', types: ['ID_CARD', 'DRIVERS'] }] },
    ...(metadata && { metadata }),
    review: renderReview(review, now),
    lang: 'pt',
    type: 'individual',
  };
}

function documentInfo({ externalUserId, fixedInfo }: Applicant) {
  const holder = String(fixedInfo.tin ?? externalUserId);
  const { name, birthDate: dob } = documentPersonaOf(holder);
  const [firstName = '', ...others] = name.split(' ');
  const lastName = others.join(' ');
  const names = { firstName, firstNameEn: plain(firstName), lastName, lastNameEn: plain(lastName) };
  const number = documentNumberOf(holder);
  const idDoc = { idDocType: 'ID_CARD', country: 'BRA', firstName, lastName, number, dob };
  return { ...names, dob, country: 'BRA', ...taxNumber(fixedInfo.tin), idDocs: [idDoc] };
}

/**
 * The CPF on the document. Absent if the scenario's document belongs to another person, or if the service
 * gave no CPF.
 */
const taxNumber = (tin: unknown) =>
  typeof tin === 'string' && findScenario(tin)?.document === undefined ? { tin } : {};

const plain = (name: string) => name.normalize('NFD').replace(/\p{Diacritic}/gu, '');

export function requireLevel(levelName: unknown, ...known: string[]): void {
  if (!known.includes(String(levelName))) fail(404, `Level with name '${levelName}' not found`);
}

/** Makes an id that looks like one of Sumsub's. The same text always gives the same id. */
export const applicantIdOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24);

export async function readFields(c: Context): Promise<Record<string, unknown>> {
  const text = await c.req.text();
  try {
    return applicantFields(JSON.parse(text));
  } catch {
    return fail(400, 'Malformed JSON');
  }
}

export const applicantFields = (value: unknown) =>
  (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as Record<
    string,
    unknown
  >;
