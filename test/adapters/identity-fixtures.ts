// The answers are those of Sumsub's documentation, with our ids.
import { identityProvider } from '../../functions/adapters/identity/sumsub.ts';
import type { IdentityProvider } from '../../functions/domain/kyc/identity-ports.ts';
import { stubClock } from '../support/stub-clock.ts';
import { type Stub, type StubAnswer, type StubRequest, startStub } from '../support/stub-server.ts';

export const CPF = '11144477735';
export const CLIENT_ID = '0f'.repeat(32);
export const APPLICANT_ID = '5b594ade0a975a36c9349e66';
export const LIVENESS_ID = '01K9QZ5T3MABCDEFGHJKMNPQRS-1';
export const NOW = '2026-11-02T12:00:00Z';

// https://docs.sumsub.com/reference/get-applicant-data, "Response example", with our ids.
export const APPLICANT = {
  id: APPLICANT_ID,
  createdAt: '2020-06-24 05:05:14',
  clientId: 'ClientName',
  inspectionId: '5b594ade0a975a36c9379e67',
  externalUserId: CLIENT_ID,
  fixedInfo: { firstName: 'Chris', lastName: 'Smith' },
  info: {
    firstName: 'CHRISTIAN',
    firstNameEn: 'CHRISTIAN',
    lastName: 'SMITH',
    lastNameEn: 'SMITH',
    dob: '1989-07-16',
    country: 'DEU',
    idDocs: [{ idDocType: 'ID_CARD', country: 'DEU', firstName: 'CHRISTIAN', lastName: 'SMITH' }],
  },
  review: {
    elapsedSincePendingMs: 115879,
    reprocessing: true,
    levelName: 'basic-kyc',
    createDate: '2020-06-24 05:11:02+0000',
    reviewDate: '2020-06-24 05:12:58+0000',
    reviewResult: { reviewAnswer: 'GREEN' },
    reviewStatus: 'completed',
  },
  lang: 'de',
  type: 'individual',
};
// https://docs.sumsub.com/reference/request-action-check, with our ids.
export const ACTION = {
  id: '668cc68dbd53cc0000000000',
  createdAt: '2024-07-09 05:11:41',
  clientId: 'yourCoolId',
  externalActionId: LIVENESS_ID,
  applicantId: APPLICANT_ID,
  review: {
    reviewId: 'IUeLG',
    attemptId: 'wLjuf',
    attemptCnt: 1,
    elapsedSincePendingMs: 82,
    levelName: 'action-level-name',
    createDate: '2024-07-09 10:24:26+0000',
    reviewResult: { reviewAnswer: 'GREEN' },
    reviewStatus: 'completed',
  },
  checks: [],
};
export const CHECK = { clientId: CLIENT_ID, livenessId: LIVENESS_ID };
export const HOLDER = { name: 'CHRISTIAN SMITH', birthDate: '1989-07-16' };
export const VERIFIED_AT = Date.parse('2020-06-24T05:12:58Z');
// https://docs.sumsub.com/reference/review-api-health, "Errors"; the text is one that the API is seen to answer.
export const EXISTS = {
  description: `Applicant with external user id '${CLIENT_ID}' already exists: ${APPLICANT_ID}`,
  code: 409,
  correlationId: 'req-5fd59b09-7f5e-41cd-a86b-38a4e6d57e08',
};
export const NOT_FOUND: StubAnswer = { status: 404, body: { description: 'Applicant not found', code: 404 } };

export const FIND = `GET /resources/applicants/-;externalUserId=${CLIENT_ID}/one`;
export const CREATE = 'POST /resources/applicants';
export const LINK = 'POST /resources/sdkIntegrations/levels/-/websdkLink';
export const TOKEN = 'POST /resources/accessTokens/sdk';
export const LIST = `GET /resources/applicantActions/-;applicantId=${APPLICANT_ID}`;

const SETTINGS = {
  appToken: 'sbx:token',
  secretKey: 'hush',
  webhookSecret: 'hush-too',
  levels: { identity: 'basic-kyc', liveness: 'action-level-name' },
};

export type Identity = {
  provider: IdentityProvider;
  stub: Stub;
  settings: typeof SETTINGS;
  /** The answers by method and path. Any other request is answered with 400. */
  answers: Record<string, StubAnswer | ((request: StubRequest) => StubAnswer)>;
  /** Method and path of each request. */
  asked(): string[];
};

/** The provider of `functions/`, with a stub of Sumsub. */
export async function startIdentity(): Promise<Identity> {
  const stub = await startStub((request) => {
    const answer = identity.answers[`${request.method} ${request.path}`] ?? { status: 400 };
    return typeof answer === 'function' ? answer(request) : answer;
  });
  const settings = structuredClone(SETTINGS);
  const provider = identityProvider(async () => ({ ...structuredClone(settings), baseUrl: stub.url }), {
    clock: stubClock(NOW),
    timeoutMs: 3_000,
  });
  const asked = () => stub.requests.map(({ method, path }) => `${method} ${path}`);
  const identity: Identity = { provider, stub, settings, answers: {}, asked };
  return identity;
}

export const failureOf = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => {
      throw new Error('it answered');
    },
    (error: Error) => error,
  );
