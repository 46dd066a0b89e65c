/** Adapts a document of docs/ to the gateway that serves it: its URLs, its credentials, and what it has. */
import { scopesByEnvironment } from '../../contract/environments.ts'
import { demoCredentials } from '../../contract/examples/demo-fixture.ts'
import type { DocsSettings } from '../docs-settings.ts'
import { INSERTED_TABLES } from './inserted-tables.ts'

/** The URLs in the documents, which are replaced. */
const DOCUMENTED = {
  tokens: 'http://127.0.0.1:8080/v2/connect/token',
  gateway: 'http://127.0.0.1:8080',
  bankPages: 'http://127.0.0.1:8081',
  xs2a: 'http://127.0.0.1:8101',
}
/** Where the user returns to in the examples of production; the sandbox uses the bank's front page. */
const PARTNER = 'https://erp.example'
const CONDITIONAL = /^<!-- (sandbox|production) -->\n((?:(?!^<!-- (?:sandbox|production)).)*?)^<!-- end -->\n/gms
const INSERTED = /^<!-- insert ([\w-]+) -->\n/gm

/** The Markdown with what applies to this gateway. */
export function adaptDocument(document: string, place: DocsSettings): string {
  const applicable = document
    .replaceAll(CONDITIONAL, (_, condition: string, text: string) => (condition === place.mode ? text : ''))
    .replaceAll(INSERTED, (_, name: string) => INSERTED_TABLES[name]?.(place) ?? '')
    .replaceAll('{tokenRequestsPerMinute}', grouped(place.tokenRequestsPerMinute))
    .replaceAll('{requestsPerSecond}', grouped(place.requestsPerSecond))
  return adaptExample(applicable, place)
}

/** An example with the URLs, the scope and the credentials of this gateway. */
export function adaptExample(example: string, place: DocsSettings): string {
  const { baseUrl, authUrl, sandboxBankUrl, sandboxXs2aUrl } = place
  return withCredentials(example, place)
    .replaceAll(DOCUMENTED.tokens, `${authUrl}/v2/connect/token`)
    .replaceAll(DOCUMENTED.gateway, baseUrl)
    .replaceAll(DOCUMENTED.bankPages, sandboxBankUrl ?? PARTNER)
    .replaceAll(DOCUMENTED.xs2a, sandboxXs2aUrl ?? PARTNER)
}

/** The public credentials of the demo partner are shown only where it exists. */
function withCredentials(document: string, { mode, demo }: DocsSettings): string {
  const scoped = document.replaceAll(scopesByEnvironment.sandbox, scopesByEnvironment[mode])
  const { clientId, clientSecret } = demoCredentials
  const quoted = (text: string) => new RegExp(`(['"])${text}\\1`, 'g')
  return demo
    ? scoped
    : scoped
        .replaceAll(new RegExp(`=${clientSecret}\\b`, 'g'), '=$CLIENT_SECRET')
        .replaceAll(new RegExp(`=${clientId}\\b`, 'g'), '=$CLIENT_ID')
        .replaceAll(quoted(clientSecret), '$1your client secret$1')
        .replaceAll(quoted(clientId), '$1your client id$1')
}

function grouped(number: number): string {
  return number.toLocaleString('en-US').replaceAll(',', ' ')
}
