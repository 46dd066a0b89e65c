/** Adapts a document of docs/ to the gateway that serves it: its URLs, its credentials, and what it has. */
import { scopesByEnvironment } from '../../contract/environments.ts'
import { demoCredentials } from '../../contract/examples/demo-fixture.ts'
import type { DocsSettings } from '../docs-settings.ts'
import { INSERTED_TABLES } from './inserted-tables.ts'

/** The URLs in the documents: of tokens, of the gateway, of the bank's pages and XS2A API, of the control APIs. */
const DOCUMENTED_URL = /http:\/\/127\.0\.0\.1:(8080\/v2\/connect\/token|8080|8081|8101|8095|8094)/g
/** Where the user returns to in the examples of production; the sandbox uses the bank's front page. */
const PARTNER = 'https://erp.example'
const CONDITIONAL = /^<!-- (sandbox|production) -->\n((?:(?!^<!-- (?:sandbox|production)).)*?)^<!-- end -->\n/gms
/** A table of data; the file has that of the sandbox, as `npm run guides` wrote it. */
const TABLE = /^<!-- table ([\w-]+) -->\n(?:(?!^<!-- (?:table|end of table)).)*^<!-- end of table -->\n/gms
/** A limit that operators may change; the file has its default. */
const LIMIT = /<!-- limit (\w+) -->[^<]*<!-- end of limit -->/g

/** The Markdown with what applies to this gateway. */
export function adaptDocument(document: string, place: DocsSettings): string {
  const applicable = document
    .replaceAll(CONDITIONAL, (_, condition: string, text: string) => (condition === place.mode ? text : ''))
    .replaceAll(TABLE, (_, name: string) => tableOf(name, place))
    .replaceAll(LIMIT, (_, name: string) => limitOf(name, place))
  return adaptExample(applicable, place)
}

/** The Markdown with its generated parts as they are for `place`, and with their marks, so that it can be generated again. */
export function generateParts(document: string, place: DocsSettings): string {
  return document
    .replaceAll(TABLE, (_, name: string) => `<!-- table ${name} -->\n${tableOf(name, place)}<!-- end of table -->\n`)
    .replaceAll(LIMIT, (_, name: string) => `<!-- limit ${name} -->${limitOf(name, place)}<!-- end of limit -->`)
}

function tableOf(name: string, place: DocsSettings): string {
  const render = INSERTED_TABLES[name]
  if (render === undefined) {
    throw new Error(`There is no table ${name}`)
  }
  return render(place)
}

function limitOf(name: string, place: DocsSettings): string {
  if (name !== 'requestsPerSecond' && name !== 'tokenRequestsPerMinute') {
    throw new Error(`There is no limit ${name}`)
  }
  return place[name].toLocaleString('en-US').replaceAll(',', ' ')
}

/** An example with the URLs, the scope and the credentials of this gateway. */
export function adaptExample(example: string, place: DocsSettings): string {
  const { baseUrl, authUrl, sandboxBankUrl, sandboxXs2aUrl, sandboxFxUrl, sandboxIdentityControlUrl } = place
  const urls: Readonly<Record<string, string>> = {
    '8080/v2/connect/token': `${authUrl}/v2/connect/token`,
    8080: baseUrl,
    8081: sandboxBankUrl ?? PARTNER,
    8101: sandboxXs2aUrl ?? PARTNER,
    8095: sandboxFxUrl ?? PARTNER,
    8094: sandboxIdentityControlUrl ?? PARTNER,
  }
  // At once: the URL of one program may be the documented one of another.
  return withCredentials(example, place).replaceAll(
    DOCUMENTED_URL,
    (url, documented: string) => urls[documented] ?? url,
  )
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
