/** Defines a route of the console: what it requires of its user, and what it does. */
import type { Form } from '../gateway/platform/http/pages/form.ts'
import type { ConsolePermission } from './access/console-role.ts'
import type { Viewer } from './access/viewer.ts'
import type { ConsoleAnswer } from './layout/console-page.ts'

/** A request of a user with the required permission; a form has passed the check of its token. */
export type ConsoleRequest = {
  readonly viewer: Viewer
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly form: Form
}

export type ConsoleRoute = {
  readonly method: 'GET' | 'POST'
  /** The whole path, with parameters such as `:id`. */
  readonly path: string
  readonly permission: ConsolePermission
  /** Whether the user must have signed in recently: for changes of how users sign in, and of sessions. */
  readonly needsRecentSignIn?: true
  /** Whether it ends the session, for which any session will do. */
  readonly endsSession?: true
  /** Whether it streams a part of a page. No person asks for it, so that it does not keep a session in use. */
  readonly isLive?: true
  readonly handle: (request: ConsoleRequest) => Promise<ConsoleAnswer>
}

/** Makes routes that a permission opens, of pages and of forms: `get('payments.read')(path, handle)`. */
const routesOf =
  (method: ConsoleRoute['method']) =>
  (permission: ConsolePermission, limits: Pick<ConsoleRoute, 'needsRecentSignIn' | 'endsSession' | 'isLive'> = {}) =>
  (path: string, handle: ConsoleRoute['handle']): ConsoleRoute => ({ method, permission, path, handle, ...limits })

export const get = routesOf('GET')
export const post = routesOf('POST')
