import { createHash, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { DAY_MS } from '../../functions/domain/time.ts';
import type { Storage } from './storage.ts';
import type { Template } from './template.ts';
import { awsError, type Fields, fields, text } from './wire.ts';

type Forward = Storage['forward'];
type Request = Parameters<Forward>[0];
type Answer = Awaited<ReturnType<Forward>>;

type Retention = { mode: string; until: number };
type Version = { id: string; at: number; isMarker?: true; retention?: Retention; isHeld?: boolean };
type Place = { bucket: string; key: string; query: URLSearchParams };
/** The default retention of a bucket: each new object gets it, unless the upload names another. */
type Lock = { mode: string; days: number } | undefined;

/** The buckets with Object Lock, by name, each with its default retention. */
export function locksOf(template: Template): Map<string, Lock> {
  const locked = template
    .ofType('AWS::S3::Bucket')
    .filter(({ logicalId }) => template.properties(logicalId).ObjectLockEnabled === true);
  return new Map(
    locked.map(({ logicalId }) => [template.ref(logicalId), lockOf(template.properties(logicalId))]),
  );
}

function lockOf({ ObjectLockConfiguration }: Fields): Lock {
  const { Mode, Days, Years } = fields(fields(fields(ObjectLockConfiguration).Rule).DefaultRetention);
  return Mode ? { mode: text(Mode), days: Number(Days ?? Number(Years) * 365) } : undefined;
}

/** The emulator's bucket that holds all versions of the objects of a bucket with Object Lock. */
export const versionsOf = (bucket: string) => `${bucket}.versions`;

/**
 * Adds versions and S3 Object Lock, which the emulator lacks, for the buckets in `locks`. A version cannot be
 * deleted while its retention lasts or a legal hold is on. An upload that gets a retention needs a checksum.
 * Throws for an operation on these buckets that is not simulated. Source: Amazon S3, "Locking objects with
 * Object Lock".
 */
export function withObjectLock(forward: Forward, locks: ReadonlyMap<string, Lock>): Forward {
  const all = new Map<string, Version[]>();

  async function put(request: Request, place: Place): Promise<Answer> {
    const retention = retentionOf(request.headers, locks.get(place.bucket));
    if (retention) requireChecksum(request);
    const version = { id: randomUUID(), at: Date.now(), retention };
    const answer = await forward(request);
    if (answer.status >= 300) return answer;
    await forward({ ...request, url: versionPath(place, version) });
    all.set(pathOf(place), [...(all.get(pathOf(place)) ?? []), version]);
    return withHeaders(answer, version);
  }

  function find(place: Place): Version | undefined {
    const versions = all.get(pathOf(place)) ?? [];
    const wanted = place.query.get('versionId');
    if (wanted === null) return versions.at(-1);
    const found = versions.find(({ id }) => id === wanted);
    return found ?? refuse(404, 'NoSuchVersion', 'The specified version does not exist.');
  }

  /** A legal hold has no end and no bypass. It is added to a retention, and outlasts it. */
  function putHold({ body }: Request, place: Place): Answer {
    const version = find(place) ?? refuse(404, 'NoSuchKey', 'The specified key does not exist.');
    if (version.isMarker) refuse(405, 'MethodNotAllowed', 'The specified method is not allowed.');
    const [, status] = /<Status>(ON|OFF)<\/Status>/.exec(body.toString()) ?? refuse(400, 'MalformedXML', '');
    version.isHeld = status === 'ON';
    return { status: 200, headers: {}, body: Buffer.alloc(0) };
  }

  async function get(request: Request, place: Place): Promise<Answer> {
    const version = find(place);
    if (place.query.has('legal-hold')) return holdAnswer(version);
    if (place.query.has('retention')) return retentionAnswer(version);
    // The emulator may show an upload whose version is not stored yet. S3 shows no object without its retention.
    if (!version) return refuse(404, 'NoSuchKey', 'The specified key does not exist.');
    if (version.isMarker) return withHeaders(await forward({ ...request, url: pathOf(place) }), version);
    return withHeaders(await forward({ ...request, url: versionPath(place, version) }), version);
  }

  async function remove(request: Request, place: Place): Promise<Answer> {
    const path = pathOf(place);
    if (place.query.has('versionId')) return removeVersion(request, place, find(place));
    const marker: Version = { id: randomUUID(), at: Date.now(), isMarker: true };
    const answer = await forward({ ...request, url: path });
    all.set(path, [...(all.get(path) ?? []), marker]);
    return withHeaders(answer, marker);
  }

  async function removeVersion(request: Request, place: Place, version?: Version): Promise<Answer> {
    requireUnlocked(request, version);
    const kept = (all.get(pathOf(place)) ?? []).filter((each) => each !== version);
    all.set(pathOf(place), kept);
    const last = kept.at(-1);
    // The emulator's own object must be the newest version that is left, because its listings show that object.
    if (last && !last.isMarker)
      await forward({
        ...request,
        method: 'PUT',
        url: pathOf(place),
        headers: { 'x-amz-copy-source': versionPath(place, last) },
      });
    else await forward({ ...request, url: pathOf(place) });
    return withHeaders({ status: 204, headers: {}, body: Buffer.alloc(0) }, version);
  }

  return async (request) => {
    const place = placeOf(request.url);
    if (!locks.has(place.bucket)) return forward(request);
    requireSimulated(request.method, place);
    if (!place.key) return place.query.has('versions') ? listVersions(all, place) : forward(request);
    if (request.method === 'PUT')
      return place.query.has('legal-hold') ? putHold(request, place) : put(request, place);
    return request.method === 'DELETE' ? remove(request, place) : get(request, place);
  };
}

const pathOf = ({ bucket, key }: Place) => `/${bucket}/${key}`;
const versionPath = ({ bucket, key }: Place, { id }: Version) => `/${versionsOf(bucket)}/${key}/${id}`;

function placeOf(url: string): Place {
  const { pathname, searchParams } = new URL(url, 'http://s3');
  const [bucket = '', ...key] = pathname.slice(1).split('/');
  return { bucket, key: key.join('/'), query: searchParams };
}

const READS = [
  'versionId',
  'retention',
  'legal-hold',
  'x-id',
  'list-type',
  'prefix',
  'continuation-token',
  'max-keys',
  'versions',
  'key-marker',
  'version-id-marker',
];
const SIMULATED: Readonly<Record<string, readonly string[]>> = {
  GET: [...READS, 'start-after', 'delimiter', 'encoding-type'],
  HEAD: ['versionId', 'x-id'],
  PUT: ['versionId', 'legal-hold', 'x-id'],
  DELETE: ['versionId', 'x-id'],
};

function requireSimulated(method: string, { key, query }: Place): void {
  const known = SIMULATED[method];
  const strange = [...query.keys()].find((name) => !known?.includes(name));
  if (known && strange === undefined && (key || method !== 'DELETE')) return;
  refuse(501, 'NotImplemented', `${method} ${strange ?? ''} is not simulated for a bucket with Object Lock.`);
}

function retentionOf(headers: Request['headers'], lock: Lock): Retention | undefined {
  const { 'x-amz-object-lock-mode': mode, 'x-amz-object-lock-retain-until-date': date } = headers;
  if ((mode === undefined) !== (date === undefined))
    refuse(
      400,
      'InvalidArgument',
      'x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be supplied',
    );
  if (mode === undefined) return lock && { mode: lock.mode, until: Date.now() + lock.days * DAY_MS };
  const until = Date.parse(date ?? '');
  if (!(until > Date.now())) refuse(400, 'InvalidArgument', 'The retain until date must be in the future!');
  return { mode, until };
}

const CHECKSUMS: Readonly<Record<string, (body: Buffer) => string>> = {
  'content-md5': (body) => createHash('md5').update(body).digest('base64'),
  'x-amz-checksum-sha256': (body) => createHash('sha256').update(body).digest('base64'),
  'x-amz-checksum-crc32': (body) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(crc32(body));
    return bytes.toString('base64');
  },
};

/**
 * Throws for a body without a checksum, or with a wrong one. A checksum in a trailer (`x-amz-trailer`), after
 * a body in chunks, is accepted without a check.
 */
function requireChecksum({ headers, body }: Request): void {
  if (headers['x-amz-trailer']?.startsWith('x-amz-checksum-')) return;
  const given = Object.entries(CHECKSUMS).filter(([name]) => headers[name] !== undefined);
  if (given.length === 0)
    refuse(
      400,
      'InvalidRequest',
      'Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests with Object Lock parameters',
    );
  const wrong = given.find(([name, digestOf]) => headers[name] !== digestOf(body));
  if (wrong) refuse(400, 'BadDigest', `The ${wrong[0]} you specified did not match the calculated checksum.`);
}

function requireUnlocked({ headers }: Request, version: Version | undefined): void {
  const { mode, until = 0 } = version?.retention ?? {};
  const isBypassed = mode === 'GOVERNANCE' && headers['x-amz-bypass-governance-retention'] === 'true';
  if (!version?.isHeld && (until <= Date.now() || isBypassed)) return;
  refuse(403, 'AccessDenied', 'Access Denied because object protected by object lock.');
}

function retentionAnswer(version: Version | undefined): Answer {
  if (!version?.retention)
    return refuse(404, 'NoSuchObjectLockConfiguration', 'The specified object has no retention.');
  const { mode, until } = version.retention;
  const inner = `<Mode>${mode}</Mode><RetainUntilDate>${new Date(until).toISOString()}</RetainUntilDate>`;
  return xmlAnswer(`<Retention>${inner}</Retention>`);
}

function holdAnswer(version: Version | undefined): Answer {
  if (version?.isHeld === undefined)
    return refuse(404, 'NoSuchObjectLockConfiguration', 'The specified object has no legal hold.');
  return xmlAnswer(`<LegalHold><Status>${version.isHeld ? 'ON' : 'OFF'}</Status></LegalHold>`);
}

/** The most versions on one page of a listing, as in S3. */
const MOST_LISTED = 1000;

/** `GET ?versions`: the keys in their order, and the versions of each, the newest first. */
function listVersions(all: ReadonlyMap<string, Version[]>, { bucket, query }: Place): Answer {
  const prefix = `/${bucket}/${query.get('prefix') ?? ''}`;
  const paths = [...all.keys()].filter((path) => path.startsWith(prefix)).sort();
  const lines = paths.flatMap((path) =>
    (all.get(path) ?? []).toReversed().map((version, at) => ({
      key: path.slice(bucket.length + 2),
      version,
      isLatest: at === 0,
    })),
  );
  const [keyMarker, idMarker] = [query.get('key-marker') ?? '', query.get('version-id-marker')];
  const at = lines.findIndex(({ key, version }) => key === keyMarker && version.id === idMarker);
  const rest = at < 0 ? lines.filter(({ key }) => key > keyMarker) : lines.slice(at + 1);
  const page = rest.slice(0, Number(query.get('max-keys') ?? MOST_LISTED));
  return xmlAnswer(versionsXml(page, page.length < rest.length));
}

type Line = { key: string; version: Version; isLatest: boolean };

function versionsXml(page: readonly Line[], isTruncated: boolean): string {
  const last = isTruncated ? page.at(-1) : undefined;
  const lines = page.map(({ key, version: { id, at, isMarker }, isLatest }) => {
    const name = isMarker ? 'DeleteMarker' : 'Version';
    const about = `<Key>${key}</Key><VersionId>${id}</VersionId><IsLatest>${isLatest}</IsLatest>`;
    return `<${name}>${about}<LastModified>${new Date(at).toISOString()}</LastModified></${name}>`;
  });
  const next = last
    ? `<NextKeyMarker>${last.key}</NextKeyMarker><NextVersionIdMarker>${last.version.id}</NextVersionIdMarker>`
    : '';
  const inner = `<IsTruncated>${isTruncated}</IsTruncated>${next}${lines.join('')}`;
  return `<ListVersionsResult>${inner}</ListVersionsResult>`;
}

function xmlAnswer(text: string): Answer {
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: Buffer.from(text) };
}

function withHeaders(answer: Answer, version: Version | undefined): Answer {
  if (!version) return answer;
  const { id, isMarker, retention, isHeld } = version;
  const headers = {
    ...answer.headers,
    'x-amz-version-id': id,
    ...(isMarker && { 'x-amz-delete-marker': 'true' }),
    ...(isHeld !== undefined && { 'x-amz-object-lock-legal-hold': isHeld ? 'ON' : 'OFF' }),
    ...(retention && {
      'x-amz-object-lock-mode': retention.mode,
      'x-amz-object-lock-retain-until-date': new Date(retention.until).toISOString(),
    }),
  };
  return { ...answer, headers };
}

function refuse(status: number, name: string, message: string): never {
  throw awsError(name, message, status);
}
