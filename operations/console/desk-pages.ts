/** The pages that show what commands print. Each names its commands. */
import { type ActForm, BLOCK_ACTS, GONE_ACTS, TREASURY_ACTS } from './act-forms.ts';
import type { CommandCall } from './called.ts';
import type { Links } from './shown-html.ts';

export type DeskPage = {
  path: string;
  title: string;
  about: string;
  calls: readonly (CommandCall & { title?: string })[];
  /** Other pages about the same kind of work, which are shown as tabs. */
  besides?: readonly (readonly [path: string, label: string])[];
  links?: Links;
  acts?: readonly ActForm[];
  /** The acts change what the tables show, so they are not offered while all tables are empty. */
  isOnRows?: true;
};

const linkTo = (path: string) => (id: string) => `/console${path}${encodeURIComponent(id)}`;

export const REVIEWS = {
  links: { case: linkTo('/reviews/') },
  besides: [
    ['/reviews', 'Waiting'],
    ['/reviews/refused', 'Refused'],
    ['/reviews/gone', 'Entry gone'],
    ['/reviews/decided', 'Decided'],
    ['/reviews/search', 'Search'],
  ],
} as const;

export const CASES = {
  links: { case: linkTo('/cases/case?id=') },
  besides: [
    ['/cases', 'Open'],
    ['/cases/dust', 'With dust'],
    ['/cases/closed', 'Closed'],
  ],
} as const;

export const DESK_PAGES: readonly DeskPage[] = [
  {
    ...REVIEWS,
    path: '/reviews',
    title: 'Reviews',
    about: 'Clients who wait until a person has compared them with a listed person.',
    calls: [{ name: 'reviews list' }],
  },
  {
    ...REVIEWS,
    path: '/reviews/refused',
    title: 'Refused clients',
    about: 'Clients who were refused because of a list. A decision clears or confirms them.',
    calls: [{ name: 'reviews list', flags: { rejected: true } }],
  },
  {
    ...REVIEWS,
    path: '/reviews/gone',
    title: 'Cases whose entry is gone',
    about: 'The entry has left its list, so there is nobody to compare the client with.',
    calls: [{ name: 'reviews list', flags: { gone: true } }],
    acts: GONE_ACTS,
    isOnRows: true,
  },
  {
    ...REVIEWS,
    path: '/reviews/decided',
    title: 'Decided reviews',
    about: 'The decisions of persons in the last year, with their reasons.',
    calls: [{ name: 'reviews list', flags: { decided: true } }],
  },
  {
    ...CASES,
    path: '/cases',
    title: 'Money cases',
    about: 'Discrepancies of money that a person decides.',
    calls: [{ name: 'cases list' }],
  },
  {
    ...CASES,
    path: '/cases/dust',
    title: 'Money cases with dust',
    about: 'All open cases, also those of dust amounts.',
    calls: [{ name: 'cases list', flags: { all: true } }],
  },
  {
    ...CASES,
    path: '/cases/closed',
    title: 'Closed money cases',
    about: 'The closed cases, and how they were decided.',
    calls: [{ name: 'cases list', flags: { closed: true } }],
  },
  {
    path: '/partners',
    title: 'Partners',
    about: 'Every partner of this stage.',
    calls: [{ name: 'partners list' }],
  },
  {
    path: '/treasury',
    title: 'Treasury',
    about: 'The tokens that can still be sold, at the last reading, and the hot wallets with their holds.',
    calls: [
      { name: 'treasury show', title: 'Float' },
      { name: 'treasury wallets', title: 'Wallets' },
    ],
    acts: TREASURY_ACTS,
  },
  {
    path: '/blocks',
    title: 'Blocks',
    about: 'Persons who may buy at no partner, and clients whom a money case blocks.',
    calls: [
      { name: 'fraud list', title: 'Persons' },
      { name: 'clients blocked', title: 'Clients' },
    ],
    links: CASES.links,
    acts: BLOCK_ACTS,
  },
  {
    path: '/lists',
    title: 'Lists',
    about: 'The lists in which clients are searched.',
    calls: [{ name: 'lists show' }],
  },
];
