/**
 * The tables as the deployed release has them, and which changes one deployment can make. `npm run released` writes the
 * file after a deployment of production.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { onrampApp } from './onramp-app.ts';

/**
 * The indexes of each table. The outer names are the tables' logical ids, the inner ones are the indexes' names. An
 * index is described by its keys and its projection.
 */
type ReleasedTables = Record<string, Record<string, string>>;

const FILE = new URL('released-tables.json', import.meta.url);

export const readReleased = () => JSON.parse(readFileSync(FILE, 'utf8')) as ReleasedTables;

type Index = {
  IndexName: string;
  KeySchema: { AttributeName: string }[];
  Projection: { ProjectionType: string };
};

/** The tables in production's present template. */
export async function tablesNow(): Promise<ReleasedTables> {
  const { state } = await onrampApp({ stage: 'production' });
  const tables = Object.entries(Template.fromStack(state).findResources('AWS::DynamoDB::Table'));
  return Object.fromEntries(
    tables.map(([id, { Properties }]) => [id, indexesOf(Properties.GlobalSecondaryIndexes ?? [])]),
  );
}

const indexesOf = (indexes: Index[]) =>
  Object.fromEntries(
    indexes.map(({ IndexName, KeySchema, Projection }) => [
      IndexName,
      [...KeySchema.map(({ AttributeName }) => AttributeName), Projection.ProjectionType].join(' '),
    ]),
  );

/**
 * Names the changes that one deployment cannot make, or that would lose rows. In one update CloudFormation
 * can add or remove only one index of a table. A changed index counts as one removal and one addition. A new
 * table may have any number of indexes.
 */
export function refusedChanges(released: ReleasedTables, now: ReleasedTables): string[] {
  return Object.entries(released).flatMap(([id, before]) => {
    const after = now[id];
    if (!after) return [`${id} is gone: its rows would stay behind in a table that nothing uses`];
    const changed = [...indexChangesOf(before, after), ...indexChangesOf(after, before)];
    return changed.length > 1 ? [`${id} has more than one change of an index: ${changed.join(', ')}`] : [];
  });
}

const indexChangesOf = (from: Record<string, string>, to: Record<string, string>) =>
  Object.keys(from).filter((name) => from[name] !== to[name]);

const writeReleased = (tables: ReleasedTables) => writeFileSync(FILE, `${JSON.stringify(tables, null, 2)}\n`);

if (import.meta.main) writeReleased(await tablesNow());
