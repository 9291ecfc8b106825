/** A page that anyone may read: the description of the API, and what explains it. */
export type Page = { text: string; type: string; etag: string };

export type Pages = {
  /** Undefined where there is no page at the path. */
  findPage(path: string): Promise<Page | undefined>;
};
