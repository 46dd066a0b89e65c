/** Renders what `npm start` prints when everything is ready: URLs, credentials, a command to try. */
import { relative } from 'node:path'
import { scopesByEnvironment } from '../contract/environments.ts'
import { addressOf, type StartSettings } from './start-settings.ts'

/** The demo partner of the sandbox; the gateway creates it when it runs on the embedded database. */
const DEMO_CLIENT_ID = 'demo-partner'
const DEMO_CLIENT_SECRET = 'demo-partner-secret'

/** The printed lines. */
export function startSummary(settings: StartSettings, tookMilliseconds: number): string {
  const gateway = addressOf(settings.ports.gateway)
  const folder = relative('', settings.dataDir) || '.'
  return `
Havn is ready after ${(tookMilliseconds / 1000).toFixed(1)} s. This is a sandbox: no real bank, no real money.

  Gateway        ${gateway}   (its interface, to read: ${gateway}/docs)
  Sandbox bank   ${addressOf(settings.ports.sandboxBank)}   (accounts, payments, users)
  Sandbox eID    ${addressOf(settings.ports.sandboxIdentity)}   (signers in the onboarding of a company)
  Sandbox FX     ${addressOf(settings.ports.sandboxFx)}   (changes money; its control API is below /control)
${settings.databaseUrl === undefined ? demoLines(gateway) : ownDatabaseLines()}
State and logs are in ${folder}/. Ctrl-C stops everything; npm run reset forgets everything.`
}

function demoLines(gateway: string): string {
  return `  Demo partner   ${DEMO_CLIENT_ID}, secret ${DEMO_CLIENT_SECRET}

A first command to try, which gets an access token:

  curl -s ${gateway}/v2/connect/token \\
    -d grant_type=client_credentials -d client_id=${DEMO_CLIENT_ID} -d client_secret=${DEMO_CLIENT_SECRET} \\
    -d scope=${scopesByEnvironment.sandbox}

${gateway}/docs explains every operation. README.md goes on from here, to a payment that is signed and settled.
`
}

function ownDatabaseLines(): string {
  return `
It runs on the database of DATABASE_URL, where there is no demo partner. To make a partner:

  npx havn partner create --help
`
}
