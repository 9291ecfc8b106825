import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Resource } from './physical-ids.ts';
import type { Template } from './template.ts';
import { type Fields, fields, list, text } from './wire.ts';

/** Finds the folder with a function's code. */
export type FunctionCode = {
  folderOf(resource: Resource, properties: Fields): string;
  /** Removes the folders that were made for code in the template. */
  remove(): void;
};

/** A function's code is an asset of the assembly, or it stands in the template itself. */
export function openFunctionCode(template: Template): FunctionCode {
  let ofInline = '';

  function writeInline(logicalId: string, code: string): string {
    ofInline ||= mkdtempSync(join(tmpdir(), 'cloud-inline-'));
    const folder = mkdtempSync(join(ofInline, `${logicalId}-`));
    const isModule = /^\s*(import|export)\s/m.test(code);
    writeFileSync(join(folder, isModule ? 'index.mjs' : 'index.cjs'), code);
    return folder;
  }

  return {
    folderOf(resource, properties) {
      refuseOtherThanZip(resource, properties);
      const { S3Key, ZipFile } = fields(properties.Code);
      if (ZipFile !== undefined) return writeInline(resource.logicalId, text(ZipFile));
      const folder = template.asset(text(S3Key));
      if (!statSync(folder).isDirectory())
        throw new Error(`${folder} is not a folder; zip files are not unpacked here`);
      return folder;
    },
    remove() {
      if (ofInline) rmSync(ofInline, { recursive: true, force: true });
    },
  };
}

function refuseOtherThanZip({ logicalId }: Resource, { PackageType, Layers }: Fields): void {
  if (PackageType === 'Image') throw new Error(`${logicalId} is an image; only zip code runs here`);
  if (list(Layers).length > 0) throw new Error(`${logicalId} uses layers; bundle them instead`);
}
