/** Examples of the operations of the authorisation server. */

import { scopesByEnvironment } from '../environments.ts'
import type { ExamplesById } from '../operations.ts'
import { demoCredentials } from './demo-fixture.ts'

const issuer = 'http://127.0.0.1:8080'

export const tokenExamples = {
  issueToken: [
    {
      summary: 'The demo partner requests a token for the sandbox',
      body: {
        grant_type: 'client_credentials',
        scope: scopesByEnvironment.sandbox,
        client_id: demoCredentials.clientId,
        client_secret: demoCredentials.clientSecret,
      },
      answer: {
        token_type: 'Bearer',
        expires_in: 3600,
        ext_expires_in: 3600,
        access_token: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjIwMjYtMTEifQ.eyJzdWIiOiJkZW1vLXBhcnRuZXIifQ.c2lnbmF0dXJl',
      },
    },
  ],
  getKeys: [
    {
      summary: 'One key on the curve P-256, of RFC 7517',
      answer: {
        keys: [
          {
            kty: 'EC',
            kid: '2026-11',
            use: 'sig',
            alg: 'ES256',
            crv: 'P-256',
            x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
            y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
          },
        ],
      },
    },
  ],
  getServerMetadata: [
    {
      summary: 'The authorisation server of the sandbox',
      answer: {
        issuer,
        token_endpoint: `${issuer}/v2/connect/token`,
        jwks_uri: `${issuer}/.well-known/jwks.json`,
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
        scopes_supported: [scopesByEnvironment.sandbox],
        response_types_supported: [],
      },
    },
  ],
} satisfies Partial<ExamplesById>
