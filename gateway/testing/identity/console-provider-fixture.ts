/** Starts a gateway whose console's users sign in at the workplace of the sandbox's identity provider. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestGateway, type TestGateway } from '../gateway/test-gateway.ts'
import { type IdentityProviderFixture, openIdentityProviderFixture } from './identity-provider-fixture.ts'

export type ConsoleProviderFixture = {
  readonly gateway: TestGateway
  readonly identity: IdentityProviderFixture
  readonly demoPartnerId: string
  close(): Promise<void>
}

/** The groups are `havn-operators`, `havn-administrators`, `acme-finance` and `acme-payroll` of the demo partner, and `gone` of one that is none. */
export async function startGatewayWithConsoleProvider(): Promise<ConsoleProviderFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-console-'))
  const secretFile = join(folder, 'secret')
  await writeFile(secretFile, 'havn-sandbox-secret\n')
  const identity = await openIdentityProviderFixture()
  const operators = { group: 'havn-operators', role: 'operator' }
  const gateway = await startTestGateway({
    settings: {
      HAVN_CONSOLE_OIDC_ISSUER: `${identity.url}/workplace`,
      HAVN_CONSOLE_OIDC_CLIENT_ID: 'havn',
      HAVN_CONSOLE_OIDC_CLIENT_SECRET_FILE: secretFile,
      HAVN_CONSOLE_GROUPS: JSON.stringify([operators]),
    },
  })
  const { rows } = await gateway.context.database.pool.query(`select id from partners where name = 'Demo partner'`)
  const demoPartnerId: string = rows[0].id
  // The id of the demo partner is known once its gateway has started.
  Object.assign(gateway.config.consoleProvider ?? {}, {
    groups: [
      operators,
      { group: 'havn-administrators', role: 'operator-administrator' },
      { group: 'acme-finance', role: 'partner-finance', partner: demoPartnerId },
      { group: 'acme-payroll', role: 'partner-payroll', partner: demoPartnerId },
      { group: 'gone', role: 'partner-finance', partner: '01890a5d-ac96-774b-bcce-b302099a8057' },
    ],
  })
  return {
    gateway,
    identity,
    demoPartnerId,
    close: async () => {
      await gateway.close()
      await identity.close()
      await rm(folder, { recursive: true })
    },
  }
}
