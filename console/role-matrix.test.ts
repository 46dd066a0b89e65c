/** Guarantees, for every route of the console, which roles it opens for, and that it shows nothing of another partner. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPartner } from '../gateway/auth/create-partner.ts'
import { type ConsoleRole, isOfPartner } from '../gateway/config/console-roles.ts'
import { newId } from '../gateway/platform/ids.ts'
import { ENGLISH } from '../gateway/testing/browser/bank-user.ts'
import { routesOfConsole } from '../gateway/testing/console/console-routes.ts'
import { createConsoleSubjects } from '../gateway/testing/console/console-subjects.ts'
import { signInAs, titleOf } from '../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { composeServer } from '../launcher/roles/compose-server.ts'
import { isPermitted } from './access/console-role.ts'
import type { ConsoleRoute } from './console-route.ts'
import { listSandboxUsers } from './sign-in/sign-in-page.ts'

const PARAMETER = /:(\w+)/g
const SIGN_IN = '/console/sign-in'
const SIGN_OUT = '/console/sign-out'
/** In long runs every role is tried at every route. */
const IS_AT_LENGTH = Number(process.env['HAVN_ROLES_OF_EACH_ROUTE'] ?? 0) > 0

let gateway: TestGateway
/** Asked without a connection: here only the answers matter. */
let server: FastifyInstance
let routes: readonly ConsoleRoute[]
let roles: readonly ConsoleRole[]
/** Of another partner, by the names of parameters. */
let foreign: Readonly<Record<string, string>>
beforeAll(async () => {
  gateway = await startTestGateway()
  server = await composeServer(gateway.context)
  routes = routesOfConsole(gateway)
  roles = (await listSandboxUsers(gateway.context)).map(({ role }) => role)
  const { partner } = await createPartner(gateway.context, 'test', { name: 'Another partner' })
  foreign = await createConsoleSubjects(gateway, partner.id)
})
afterAll(async () => {
  await server.close()
  await gateway.close()
})

/** Redirects are not followed. */
type Answer = { readonly status: number; readonly html: string; readonly location: string }

async function ask(method: ConsoleRoute['method'], url: string, cookie = '', formToken?: string): Promise<Answer> {
  const form = formToken === undefined ? {} : { formToken }
  const { statusCode, payload, headers } = await server.inject({
    method,
    url,
    headers: {
      ...ENGLISH,
      cookie,
      ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(method === 'POST' ? { payload: new URLSearchParams(form).toString() } : {}),
  })
  return { status: statusCode, html: payload, location: headers.location ?? '' }
}

/** Requests routes as a user of the role, whose session only signing out ends. */
function requester(role: ConsoleRole): (method: ConsoleRoute['method'], path: string) => Promise<Answer> {
  let session: { readonly cookie: string; readonly formToken: string } | undefined
  return async (method, path) => {
    session ??= await begin(role)
    const answer = await ask(method, path, session.cookie, session.formToken)
    expect(titleOf(answer), `${role}: ${path}`).not.toBe('This form is out of date')
    const hasSession = !answer.location.startsWith(SIGN_IN)
    expect(hasSession, `${role}: ${path}`).toBe(path !== SIGN_OUT)
    session = hasSession ? session : undefined
    return answer
  }
}

async function begin(role: ConsoleRole) {
  const cookie = (await signInAs(gateway, role)).cookies()
  const { html } = await ask('GET', '/console/sessions', cookie)
  return { cookie, formToken: /name="formToken" value="([^"]+)"/.exec(html)?.[1] ?? '' }
}

const withIds = (path: string, ids: Readonly<Record<string, string>>) =>
  path.replaceAll(PARAMETER, (_parameter, name: string) => ids[name] ?? newId())
const ofOneSubject = () => routes.filter(({ path }) => path.includes(':'))

test('without a session a page leads to the sign-in page, and a form or a stream to an error', async () => {
  for (const { method, path, isLive } of routes) {
    const { status, location, ...page } = await ask(method, withIds(path, {}))
    if (method === 'POST') {
      expect([status, titleOf(page)], path).toEqual([403, 'This form is out of date'])
    } else if (isLive === true) {
      expect([status, titleOf(page)], path).toEqual([403, 'Not permitted'])
    } else {
      expect([status, location], path).toEqual([303, expect.stringMatching(/^\/console\/sign-in(\?|$)/)])
    }
  }
})

/**
 * The routes that a role is tried at: all that it must not open, and in a short run of the others those that no role before
 * has opened, and one of each permission, which is all that a route knows of roles.
 */
function routesTriedBy(role: ConsoleRole, opened: Set<ConsoleRoute>): readonly ConsoleRoute[] {
  const permissions = new Set<string>()
  return routes.filter((route) => {
    if (IS_AT_LENGTH || !isPermitted([role], route.permission)) {
      return true
    }
    const isFirst = !opened.has(route) || !permissions.has(route.permission)
    opened.add(route)
    permissions.add(route.permission)
    return isFirst
  })
}

test('every route opens for the roles that it is for, and for no other', async () => {
  expect(roles.length).toBe(6)
  const opened = new Set<ConsoleRoute>()
  for (const role of roles) {
    const request = requester(role)
    for (const { method, path, permission } of routesTriedBy(role, opened)) {
      const { status } = await request(method, withIds(path, {}))
      expect(status === 403, `${role}: ${method} ${path} is ${status}`).toBe(!isPermitted([role], permission))
      expect(status, `${role}: ${method} ${path}`).toBeLessThan(500)
    }
  }
})

test('what belongs to another partner does not exist for a partner’s user', async () => {
  const names = ofOneSubject().flatMap(({ path }) => [...path.matchAll(PARAMETER)].map(([, name = '']) => name))
  expect(names.filter((name) => foreign[name] === undefined)).toEqual([])
  for (const role of roles.filter(isOfPartner)) {
    const request = requester(role)
    for (const { method, path } of ofOneSubject().filter(({ permission }) => isPermitted([role], permission))) {
      const answer = await request(method, withIds(path, foreign))
      expect([answer.status, titleOf(answer)], `${role}: ${method} ${path}`).toEqual([404, 'Not found'])
    }
  }
})

test('it exists all the same: an operator opens every page of it', async () => {
  const request = requester('operator-administrator')
  for (const { method, path } of ofOneSubject().filter(({ isLive }) => isLive !== true)) {
    const { status } = method === 'GET' ? await request(method, withIds(path, foreign)) : { status: 200 }
    expect(status, path).toBe(200)
  }
})
