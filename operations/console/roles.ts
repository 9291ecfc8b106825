/**
 * The roles of people in the console. Each may also do everything that the roles before it may do. docs/console.md has
 * the list.
 */
export const ROLES = ['viewer', 'operator', 'compliance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (text: unknown): text is Role => ROLES.some((role) => role === text);

export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);
