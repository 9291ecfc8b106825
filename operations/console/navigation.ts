import type { Role } from './roles.ts';

/** The navigation of each page. */
export const NAVIGATION: readonly (readonly [path: string, label: string, least: Role])[] = [
  ['', 'Today', 'viewer'],
  ['/reviews', 'Reviews', 'compliance'],
  ['/cases', 'Cases', 'viewer'],
  ['/deliveries', 'Deliveries', 'viewer'],
  ['/partners', 'Partners', 'viewer'],
  ['/treasury', 'Treasury', 'viewer'],
  ['/lists', 'Lists', 'viewer'],
  ['/books', 'Books', 'viewer'],
];
