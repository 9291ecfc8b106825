import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Fields, fields, text } from './wire.ts';

/**
 * Finds the file or directory of an asset in the assembly. `objectKey` is the key of the S3 object as which CDK would
 * upload the asset. Throws if the assembly lacks it.
 */
export function assetFinder(assembly: string, stackNames: string[], substitute: (value: string) => string) {
  const paths = new Map<string, string>();
  const files = stackNames.flatMap((name) =>
    Object.values(fields(readJson(join(assembly, `${name}.assets.json`)).files)),
  );
  for (const { source, destinations } of files.map(fields)) {
    for (const destination of Object.values(fields(destinations)).map(fields)) {
      const path = resolve(assembly, text(fields(source).path));
      paths.set(substitute(text(destination.objectKey)), path);
    }
  }
  return (objectKey: string): string => {
    const path = paths.get(objectKey);
    if (!path || !existsSync(path)) throw new Error(`The assembly holds no asset for ${objectKey}`);
    return path;
  };
}

function readJson(file: string): Fields {
  return existsSync(file) ? fields(JSON.parse(readFileSync(file, 'utf8'))) : {};
}
