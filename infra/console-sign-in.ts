import {
  CfnManagedLoginBranding,
  type IUserPool,
  ManagedLoginVersion,
  OAuthScope,
  UserPoolClient,
  UserPoolClientIdentityProvider,
  UserPoolDomain,
} from 'aws-cdk-lib/aws-cognito';
import { Aws, Duration, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { type ConsoleSettings, OWN_GROUPS } from './console-settings.ts';
import type { Stage } from './stage.ts';

type SignInProps = Pick<ConsoleSettings, 'issuer'> & { stage: Stage; people?: IUserPool; address: string };

/** The settings of the console's sign-in, in the form of the setting `consoleSignIn`. */
export function signInOf(scope: Construct, { issuer, stage, people, address }: SignInProps): object {
  if (issuer) {
    const { url, clientId, claim, groups } = issuer;
    return { address, issuer: url, clientId, roles: { claim, groups } };
  }
  if (!people) throw new Error('The console has neither an issuer nor people of its own');
  return { address, ...ofPool(scope, { people, stage, address }) };
}

type PoolProps = { people: IUserPool; stage: Stage; address: string };

function ofPool(scope: Construct, { people, stage, address }: PoolProps): object {
  const client = clientOf(scope, people, address);
  new UserPoolDomain(scope, 'Domain', {
    userPool: people,
    // The domain of the sign-in page. No other account may have the same one, so it contains the account's id.
    cognitoDomain: { domainPrefix: `onramp-${stage}-${Aws.ACCOUNT_ID}` },
    managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
  });
  new CfnManagedLoginBranding(scope, 'Branding', {
    userPoolId: people.userPoolId,
    clientId: client.userPoolClientId,
    useCognitoProvidedValues: true,
  });
  const { region, urlSuffix } = Stack.of(scope);
  return {
    issuer: `https://cognito-idp.${region}.${urlSuffix}/${people.userPoolId}`,
    clientId: client.userPoolClientId,
    roles: { claim: 'cognito:groups', groups: OWN_GROUPS },
  };
}

/**
 * A public client of the user pool: the console needs no client secret. Its tokens expire soon, because the
 * console does not keep them. People sign in on the pool's own page alone. A sign-in by Cognito's API, which
 * is on by default, gives a token by which people may change their own e-mail address. By that address acts
 * name them.
 */
const clientOf = (scope: Construct, userPool: IUserPool, address: string) =>
  new UserPoolClient(scope, 'Client', {
    userPool,
    generateSecret: false,
    authFlows: { userSrp: false },
    oAuth: {
      flows: { authorizationCodeGrant: true },
      scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
      callbackUrls: [`${address}/sign-in/callback`],
    },
    supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
    preventUserExistenceErrors: true,
    idTokenValidity: Duration.minutes(5),
    accessTokenValidity: Duration.minutes(5),
    refreshTokenValidity: Duration.hours(1),
  });
