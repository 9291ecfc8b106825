/**
 * Sumsub verifies documents and faces: https://docs.sumsub.com/reference/about-sumsub-api. A client is an "applicant"
 * there, and a liveness check is an "action" of that applicant.
 */
import type { IdentityProvider } from '../../domain/kyc/identity-ports.ts';
import { reopening } from '../http.ts';
import { identityHint, isIdentitySigned } from './callback.ts';
import { type IdentitySession, openIdentitySession } from './session.ts';
import type { IdentityDeps, IdentitySettings } from './settings.ts';
import {
  applicantOf,
  type IdentityFields,
  identityReviewOf,
  itemsOf,
  linkOf,
  livenessOf,
  livenessOfReview,
  livenessTokenOf,
  malformedIdentity,
  refusedIdentity,
  reviewProofOf,
} from './wire.ts';

type Applicant = ReturnType<typeof applicantOf>;

const PAGE_SIZE = 100;
/**
 * The most pages of actions that are read, newest action first. The action of a purchase is only minutes old.
 * If it is not on these pages, the result is that it does not exist.
 */
const MAX_PAGES = 10;

export function identityProvider(
  loadSettings: () => Promise<IdentitySettings>,
  deps: IdentityDeps,
): IdentityProvider {
  const session = reopening(loadSettings, (settings) => openIdentitySession(settings, deps));
  return {
    async openApplicant({ clientId, cpf, isNew }) {
      const at = await session();
      // An earlier call may have created the applicant although its answer was lost. For a new client we do
      // not search first: the provider answers 409 if the applicant exists. For any other client we search
      // first.
      const known = isNew ? undefined : await findApplicant(at, clientId);
      const applicant = known ?? (await createApplicant(at, { clientId, cpf }));
      return identityReviewOf(applicant, at.settings.levels.identity);
    },
    async findReview(clientId) {
      const at = await session();
      const applicant = await findApplicant(at, clientId);
      return applicant && identityReviewOf(applicant, at.settings.levels.identity);
    },
    async verificationLink(clientId, ttlSeconds) {
      const at = await session();
      return link(at, { levelName: at.settings.levels.identity, userId: clientId, ttlInSecs: ttlSeconds });
    },
    async widgetToken(clientId, ttlSeconds) {
      const at = await session();
      return widgetToken(at, clientId, ttlSeconds);
    },
    async livenessLink({ clientId: userId, livenessId, ttlSeconds: ttlInSecs, returnAddress }) {
      const at = await session();
      const { levels } = at.settings;
      const redirect = returnAddress && { successUrl: returnAddress, rejectUrl: returnAddress };
      const applicant = await findApplicant(at, userId);
      // An unverified client has no verified document with which the face could be compared:
      // docs/decisions.md, "The liveness check".
      const isVerified = applicant && identityReviewOf(applicant, levels.identity).status === 'APPROVED';
      if (!isVerified) {
        return {
          url: await link(at, { levelName: levels.identity, userId, ttlInSecs, redirect }),
          withDocuments: true,
        };
      }
      const levelName = levels.liveness;
      const body = { levelName, userId, externalActionId: livenessId, ttlInSecs, redirect };
      return { url: await link(at, body) };
    },
    async findLiveness({ clientId, livenessId, documentsSince }) {
      const at = await session();
      const applicant = await findApplicant(at, clientId);
      if (!applicant) return undefined;
      const review = identityReviewOf(applicant, at.settings.levels.identity);
      const answered = livenessOfReview(review, documentsSince);
      if (answered) return answered;
      const action = await findAction(at, applicant.id, livenessId);
      return action && { ...livenessOf(action, at.settings.levels.liveness), ...reviewProofOf(review) };
    },
    async isSigned(body, headers) {
      const { settings } = await session();
      return isIdentitySigned(body, headers, settings.webhookSecret);
    },
    readCallback: identityHint,
  };
}

/** Finds the applicant of a client: https://docs.sumsub.com/reference/get-applicant-data-via-externaluserid */
async function findApplicant(at: IdentitySession, clientId: string): Promise<Applicant | undefined> {
  assertClientId(clientId);
  const path = `/resources/applicants/-;externalUserId=${clientId}/one`;
  const answer = await at.call({ method: 'GET', path });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw refusedIdentity(answer, 'to show an applicant');
  return applicantOf(answer.body, clientId);
}

/** Throws unless the client's id has our form. The id becomes part of a path, so it must not have other characters. */
function assertClientId(clientId: string): void {
  if (!/^[0-9a-f]{64}$/.test(clientId)) throw new Error('a client id is 64 hexadecimal digits');
}

/** Creates the applicant of a client: https://docs.sumsub.com/reference/create-applicant */
async function createApplicant(
  at: IdentitySession,
  { clientId, cpf }: { clientId: string; cpf: string },
): Promise<Applicant> {
  assertClientId(clientId);
  if (!/^\d{11}$/.test(cpf)) throw new Error('a CPF is 11 digits');
  const path = `/resources/applicants?levelName=${encodeURIComponent(at.settings.levels.identity)}`;
  // The provider compares `fixedInfo`, our own data about the client, with the document.
  const body = { externalUserId: clientId, fixedInfo: { country: 'BRA', tin: cpf } };
  const answer = await at.call({ method: 'POST', path, body });
  if (isAccepted(answer)) return applicantOf(answer.body, clientId);
  // HTTP 409: another call of ours, at the same time or earlier, has created the applicant.
  const found = answer.status === 409 ? await findApplicant(at, clientId) : undefined;
  if (!found) throw refusedIdentity(answer, 'a new applicant');
  return found;
}

type Link = {
  levelName: string;
  userId: string;
  externalActionId?: string;
  ttlInSecs: number;
  /** Where the provider's page leads at its end. */
  redirect?: { successUrl: string; rejectUrl: string } | '';
};

/**
 * Makes a link to the provider's page (https://docs.sumsub.com/reference/generate-websdk-external-link). With
 * an `externalActionId` the page opens the action with this id, or a new one if none exists:
 * docs/decisions.md, "The liveness check".
 */
async function link(at: IdentitySession, body: Link): Promise<string> {
  const answer = await at.call({
    method: 'POST',
    path: '/resources/sdkIntegrations/levels/-/websdkLink',
    body,
  });
  if (!isAccepted(answer)) throw refusedIdentity(answer, 'a link');
  return linkOf(answer.body);
}

/** Gets a token for the provider's widget: https://docs.sumsub.com/reference/generate-access-token */
async function widgetToken(at: IdentitySession, userId: string, ttlInSecs: number): Promise<string> {
  const body = { userId, levelName: at.settings.levels.identity, ttlInSecs };
  const answer = await at.call({ method: 'POST', path: '/resources/accessTokens/sdk', body });
  if (!isAccepted(answer)) throw refusedIdentity(answer, 'a token');
  return livenessTokenOf(answer.body, userId);
}

/**
 * Finds an action by our own id (https://docs.sumsub.com/reference/get-applicant-actions). The provider
 * cannot search for our id, so the list of the applicant's actions is read.
 */
async function findAction(
  at: IdentitySession,
  applicantId: string,
  livenessId: string,
): Promise<IdentityFields | undefined> {
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = `limit=${PAGE_SIZE}&offset=${page * PAGE_SIZE}&order=-createdAt`;
    const path = `/resources/applicantActions/-;applicantId=${applicantId}?${query}`;
    const answer = await at.call({ method: 'GET', path });
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw refusedIdentity(answer, 'to list actions');
    const actions = itemsOf(answer.body);
    const found = actions.find(({ externalActionId }) => externalActionId === livenessId);
    if (found && found.applicantId !== applicantId) throw malformedIdentity('applicantId');
    if (found || actions.length < PAGE_SIZE) return found;
  }
  return undefined;
}

const isAccepted = ({ status }: { status: number }): boolean => status === 200 || status === 201;
