/**
 * The roles of people in the console, from the least to the most powerful. Each role may see every page that
 * the roles before it may see. docs/console.md has the list.
 */
import { ROLES, type Role } from '../../functions/domain/acts/act-rules.ts';

export { ROLES, type Role };

export const isRole = (text: unknown): text is Role => ROLES.some((role) => role === text);

export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);
