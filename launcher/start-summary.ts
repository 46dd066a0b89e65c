/** Renders what `npm start` prints when everything is ready: URLs, credentials, a command to try. */
import { relative } from 'node:path'
import { scopesByEnvironment } from '../contract/environments.ts'
import { demoCredentials } from '../contract/examples/demo-fixture.ts'
import { addressOf, type StartSettings } from './start-settings.ts'

/** The printed lines. */
export function startSummary(settings: StartSettings, tookMilliseconds: number): string {
  const gateway = addressOf(settings.ports.gateway)
  const folder = relative('', settings.dataDir) || '.'
  return `
Havn is ready after ${(tookMilliseconds / 1000).toFixed(1)} s. This is a sandbox: no real bank, no real money.

  Open           ${gateway}/console   (the console; one click signs in)

  Gateway        ${gateway}   (API reference: ${gateway}/docs)
  Sandbox bank   ${addressOf(settings.ports.sandboxBank)}   (pages with accounts, payments and users)
  Sandbox eID    ${addressOf(settings.ports.sandboxIdentity)}   (identifies signatories of an onboarding)
  Sandbox FX     ${addressOf(settings.ports.sandboxFxControl)}   (exchange: its books; its control API is at /control)
${settings.databaseUrl === null ? demoLines(gateway) : ownDatabaseLines()}
Data and logs are in ${folder}/. Ctrl-C stops everything; npm run reset deletes the data.`
}

/** The gateway creates the demo partner when it runs on the embedded database. */
function demoLines(gateway: string): string {
  return `  Demo partner   ${demoCredentials.clientId}, secret ${demoCredentials.clientSecret}

Get an access token:

  curl -s ${gateway}/v2/connect/token \\
    -d grant_type=client_credentials -d client_id=${demoCredentials.clientId} -d client_secret=${demoCredentials.clientSecret} \\
    -d scope=${scopesByEnvironment.sandbox}

README.md continues from here to a signed and settled payment. ${gateway}/docs documents every operation.
`
}

function ownDatabaseLines(): string {
  return `
The database is that of DATABASE_URL, which has no demo partner. To create a partner:

  npx havn partner create --help
`
}
