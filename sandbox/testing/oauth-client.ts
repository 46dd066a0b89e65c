/** A third party's OAuth client in tests: authorisation requests and token requests. */
import { createHash } from 'node:crypto'
import { newToken } from '../../gateway/platform/ids.ts'
import type { SandboxBank } from '../bank/bank.ts'

export const CLIENT = 'PSDNO-FSA-123456789'
export const BACK = 'http://127.0.0.1:9/ok'

/** One authorisation request: its parameters, and the code verifier. */
export type GrantQuery = { readonly query: Record<string, string>; readonly verifier: string }

/** The redirect of a browser, or the page it received. */
export type BrowserLocation = { readonly status: number; readonly location: string | null; readonly page: string }

export type OauthClient = {
  /** An authorisation request that the server accepts, with a test's changes. */
  asking(scope: string, changes?: Readonly<Record<string, string | undefined>>): GrantQuery
  /** Opens the authorisation endpoint with a request. */
  authorise(asking: GrantQuery): Promise<BrowserLocation>
  /** Submits a form to a page, or opens it. */
  browse(address: string, form?: Readonly<Record<string, string>>): Promise<BrowserLocation>
  /** Calls the token endpoint. */
  token(form: Readonly<Record<string, string>>): Promise<{ status: number; body: Record<string, unknown> }>
  /** Exchanges the code of a request. */
  exchange(
    asking: GrantQuery,
    code: string,
    changes?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; body: Record<string, unknown> }>
  /** Logs a user in and returns the access token, as third parties do first at some banks. */
  bearer(userId: string): Promise<Readonly<Record<string, string>>>
}

export function oauthClientOf(bank: () => SandboxBank, basePath: string): OauthClient {
  const browse = async (address: string, form?: Readonly<Record<string, string>>): Promise<BrowserLocation> => {
    const answer = await fetch(address, {
      redirect: 'manual',
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    return { status: answer.status, location: answer.headers.get('location'), page: await answer.text() }
  }
  const authorise = (asking: GrantQuery) =>
    browse(`${bank().pagesUrl}/oauth/${basePath}/authorize?${new URLSearchParams(asking.query)}`)
  const token = async (form: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${bank().xs2aUrl}/${basePath}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    return { status: answer.status, body: recordOf(await answer.json()) }
  }
  const exchange = (asking: GrantQuery, code: string, changes: Readonly<Record<string, string>> = {}) =>
    token({
      grant_type: 'authorization_code',
      client_id: CLIENT,
      code,
      redirect_uri: BACK,
      code_verifier: asking.verifier,
      ...changes,
    })
  return {
    asking,
    authorise,
    browse,
    token,
    exchange,
    bearer: async (userId) => {
      const requested = asking('AIS PIS')
      const login = (await authorise(requested)).location ?? ''
      const { location } = await browse(login, { userId, decision: 'approve' })
      const { body } = await exchange(requested, codeIn(location))
      return { Authorization: `Bearer ${String(body['access_token'])}` }
    },
  }
}

/** The code in a redirect. */
export function codeIn(location: string | null): string {
  return new URL(location ?? '').searchParams.get('code') ?? ''
}

function asking(scope: string, changes: Readonly<Record<string, string | undefined>> = {}): GrantQuery {
  const verifier = newToken()
  const parts: Readonly<Record<string, string | undefined>> = {
    response_type: 'code',
    client_id: CLIENT,
    redirect_uri: BACK,
    scope,
    state: 'a state of ours',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  }
  const query: Record<string, string> = {}
  for (const [name, value] of Object.entries(parts)) {
    if (value !== undefined) {
      query[name] = value
    }
  }
  return { query, verifier }
}

function recordOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}
