import { Hono } from 'hono';
import type { ListName } from '../../functions/domain/screening.ts';
import { ceisCsv, cnepCsv, pepCsv } from './lists/brazil.ts';
import { altCsv, sdnCommentsCsv, sdnCsv } from './lists/ofac.ts';
import { unConsolidatedXml } from './lists/un.ts';

/** The sandbox's own small lists in the publishers' formats; `lists/write.ts` writes them beside itself. */
export const listFiles = {
  'sdn.csv': sdnCsv,
  'alt.csv': altCsv,
  'sdn_comments.csv': sdnCommentsCsv,
  'un_consolidated.xml': unConsolidatedXml,
  'ceis.csv': ceisCsv,
  'cnep.csv': cnepCsv,
  'pep.csv': pepCsv,
} as const satisfies Record<string, () => Buffer>;

/** Which list each file is part of: what the manifest says. */
export const listOf: Record<keyof typeof listFiles, ListName> = {
  'sdn.csv': 'OFAC_SDN',
  'alt.csv': 'OFAC_SDN',
  'sdn_comments.csv': 'OFAC_SDN',
  'un_consolidated.xml': 'UN_SC',
  'ceis.csv': 'BR_CEIS',
  'cnep.csv': 'BR_CNEP',
  'pep.csv': 'BR_PEP',
};

const isListFile = (name: string): name is keyof typeof listFiles => Object.hasOwn(listFiles, name);

/** Serves them, made in memory: a bundled Lambda has no files beside it. */
export function lists(): Hono {
  const app = new Hono();
  app.get('/:name', (c) => {
    const name = c.req.param('name');
    if (!isListFile(name)) return c.notFound();
    const type = name.endsWith('.xml') ? 'text/xml; charset=utf-8' : 'application/octet-stream';
    return c.body(new Uint8Array(listFiles[name]()), 200, { 'content-type': type });
  });
  return app;
}
