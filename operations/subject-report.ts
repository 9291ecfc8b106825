/** Says in words, and as data, all that is known of a person. */
import { basisOf, type Kept, RETENTION, retentionWords } from '../functions/domain/retention.ts';
import { isoInstant } from '../functions/domain/time.ts';
import { clean, SECRET, withoutTokens } from './evidence-bundle.ts';
import type { Told } from './shown.ts';
import type { DossierRow } from './stores/dossier.ts';
import { fieldsOfKind, INDEX_FIELDS, SUBJECT_KINDS, type SubjectKind, UNSEARCHED } from './subject-fields.ts';
import type { SubjectRows } from './subject-rows.ts';
import { instant } from './words.ts';

type ReportHeader = {
  exportedAt: string;
  by: string;
  reason: string;
  stage: string;
  personId: string;
};
type Said = { keptUntil?: string; isHeld: boolean; fields: Record<string, unknown>; notShown: string[] };
type Section = {
  kind: SubjectKind;
  what: string;
  kept: string;
  because: string;
  meanings: Record<string, string>;
  records: Said[];
};

const FORMAT = 'onramp-subject/1';

/** Reports each kind of data that was found: its meaning, the legal reason to keep it, and until when. */
export function subjectReport(header: ReportHeader, { rows, missing }: SubjectRows): Told {
  const found = SUBJECT_KINDS.filter((kind) => rows[kind].length > 0).map((kind) =>
    kindSection(kind, rows[kind]),
  );
  const without = SUBJECT_KINDS.filter((kind) => rows[kind].length === 0);
  const elsewhere = elsewhereOf();
  const shownMissing = missing.map(withoutTokens);
  return {
    lines: [
      `All that is known of the person ${header.personId}, at ${instant(Date.parse(header.exportedAt))}`,
      ...found.flatMap(linesOfSection),
      ...titledList('Nothing of these kinds', without),
      ...titledList(
        'Kept, and not found by a CPF',
        Object.entries(UNSEARCHED).map(([kind, why]) => `${kind}: ${why}`),
      ),
      ...titledList('Kept outside the tables', elsewhere),
      ...titledList('Not found any more', shownMissing),
    ],
    json: {
      header: { format: FORMAT, ...header },
      found,
      without,
      unsearched: UNSEARCHED,
      elsewhere,
      missing: shownMissing,
    },
  };
}

function titledList(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', title, ...items.map((item) => `  - ${item}`)];
}

function kindSection(kind: SubjectKind, rows: readonly DossierRow[]): Section {
  const kept: Kept = RETENTION[kind];
  const records = rows.map((row) => subjectRecord(kind, row));
  const shown = new Set(records.flatMap(({ fields, notShown }) => [...Object.keys(fields), ...notShown]));
  const meanings = Object.entries(fieldsOfKind(kind)).filter(([name]) => shown.has(name));
  return {
    kind,
    what: kept.what,
    kept: `Kept ${retentionWords(kept)}.`,
    because: basisOf(kept),
    meanings: Object.fromEntries(meanings),
    records,
  };
}

/** The ciphertexts that the export shows as text. */
const OPENED = ['cpfCipher', 'cnpjCipher', 'identityCipher', 'metadataCipher'];

/** A record with the known fields first. A secret is named, and not shown. */
function subjectRecord(kind: SubjectKind, row: DossierRow): Said {
  const known = Object.keys(fieldsOfKind(kind));
  const cleaned = clean(row) as DossierRow;
  const isShown = (name: string) =>
    !INDEX_FIELDS.some((each) => each === name) && cleaned[name] !== undefined;
  const names = [...new Set([...known, ...Object.keys(cleaned)])].filter(isShown);
  const end = row.ttl ?? row.heldTtl;
  return {
    ...(end !== undefined && { keptUntil: isoInstant(Number(end) * 1000) }),
    isHeld: row.ttl === undefined && end !== undefined,
    fields: Object.fromEntries(names.map((name) => [name, cleaned[name]])),
    notShown: Object.keys(row).filter((name) => SECRET.test(name) && !OPENED.includes(name)),
  };
}

function linesOfSection({ kind, what, kept, because, meanings, records }: Section): string[] {
  const title = `${kind}: ${what} (${records.length})`;
  return [
    '',
    title,
    kept,
    `Reason: ${because}.`,
    ...records.flatMap((record) => linesOfRecord(record, meanings)),
  ];
}

function linesOfRecord(
  { keptUntil, isHeld, fields, notShown }: Said,
  meanings: Section['meanings'],
): string[] {
  const labelOf = (name: string) => `${meanings[name] ?? name} (${name})`;
  const end = keptUntil === undefined ? 'no end yet' : `until ${instant(Date.parse(keptUntil))}`;
  return [
    `  - record, kept ${end}${isHeld ? ', and as long as the person is held' : ''}`,
    ...Object.entries(fields).flatMap(([name, value]) => fieldLines(labelOf(name), { name, value })),
    ...notShown.map((name) => `      ${labelOf(name)}: exists, and is not shown`),
  ];
}

type Field = { name: string; value: unknown };

/** A value of several parts has a line for each part, unless all parts fit on one line. */
function fieldLines(label: string, field: Field, indent = '      '): string[] {
  const parts = valueFields(field.value);
  const isShort = parts.every(({ value }) => typeof value !== 'object');
  if (isShort) return [`${indent}${label}: ${fieldText(field)}`];
  const lines = parts.flatMap((part) => fieldLines(fieldWords(part.name), part, `${indent}  `));
  return [`${indent}${label}:`, ...lines];
}

/** The parts of a list are named by their numbers, which begin with 1. */
function valueFields(value: unknown): Field[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).map(([key, part]) => ({
    name: isList ? String(Number(key) + 1) : key,
    value: part,
  }));
}

/** A stored name in words, such as `end to end id`. A name in capitals is a code, and stays as it is. */
const fieldWords = (name: string): string =>
  /^[a-z][A-Za-z]*$/.test(name) ? name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : name;

/** A name for an instant in epoch milliseconds. */
const INSTANT = /(At|Until|^at|^until|^deadline|^mustProve)$/;

function fieldText({ name, value }: Field): string {
  if (typeof value === 'number' && INSTANT.test(name)) return instant(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = valueFields(value);
  if (parts.length === 0) return 'none';
  return parts
    .map((part) => (Array.isArray(value) ? fieldText(part) : `${fieldWords(part.name)} ${fieldText(part)}`))
    .join(', ');
}

function elsewhereOf(): string[] {
  const others = Object.values(RETENTION as Record<string, Kept>).filter(({ table }) => table === undefined);
  return others
    .filter(({ personal }) => !personal.startsWith('none'))
    .map((kept) => `${kept.what}: ${kept.personal}. Kept ${retentionWords(kept)}.`);
}
