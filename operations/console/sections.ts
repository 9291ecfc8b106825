import { ROLES, type Role } from './roles.ts';

type Section = { path: string; label?: string; least: Role };

/**
 * The sections of the console, by the first part of their URL paths, and the lowest role that may read their
 * pages. Sections with a label are in the navigation. A page that belongs to no section is shown to nobody.
 */
export const SECTIONS: readonly Section[] = [
  { path: '', label: 'Today', least: 'viewer' },
  { path: '/search', least: 'viewer' },
  { path: '/purchases', least: 'viewer' },
  { path: '/reviews', label: 'Reviews', least: 'compliance' },
  { path: '/acts', label: 'Acts', least: 'operator' },
  { path: '/cases', label: 'Cases', least: 'viewer' },
  { path: '/blocks', label: 'Blocks', least: 'viewer' },
  { path: '/deliveries', label: 'Deliveries', least: 'viewer' },
  { path: '/partners', label: 'Partners', least: 'viewer' },
  { path: '/treasury', label: 'Treasury', least: 'viewer' },
  { path: '/lists', label: 'Lists', least: 'viewer' },
  { path: '/books', label: 'Books', least: 'viewer' },
];

/** `path` is that of a page below `/console`. */
export function sectionOf(path: string): Section | undefined {
  const [, word = ''] = path.split('/');
  return SECTIONS.find((section) => section.path === (word && `/${word}`));
}

/** The roles that may read the pages of a section. */
export const readersOf = ({ least }: Section): readonly Role[] => ROLES.slice(ROLES.indexOf(least));
