/** A public page: the description of the API, or a page that explains it. */
export type Page = { text: string; type: string; etag: string };

export type Pages = {
  /** Undefined if there is no page at this path. */
  findPage(path: string): Promise<Page | undefined>;
};
