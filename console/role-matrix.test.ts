/** Guarantees, for every route of the console, which roles it opens for, and that it shows nothing of another partner. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPartner } from '../gateway/auth/create-partner.ts'
import { type ConsoleRole, isOfPartner } from '../gateway/config/console-roles.ts'
import { newId } from '../gateway/platform/ids.ts'
import { openFormBrowser, type SeenPage } from '../gateway/testing/browser/form-browser.ts'
import { routesOfConsole } from '../gateway/testing/console/console-routes.ts'
import { createConsoleSubjects } from '../gateway/testing/console/console-subjects.ts'
import { signInAs, titleOf } from '../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { isPermitted } from './access/console-role.ts'
import type { ConsoleRoute } from './console-route.ts'
import { listSandboxUsers } from './sign-in/sign-in-page.ts'

const PARAMETER = /:(\w+)/g
const SIGN_OUT = '/console/sign-out'

let gateway: TestGateway
let routes: readonly ConsoleRoute[]
let roles: readonly ConsoleRole[]
/** Of another partner, by the names of parameters. */
let foreign: Readonly<Record<string, string>>
beforeAll(async () => {
  gateway = await startTestGateway()
  routes = routesOfConsole(gateway)
  roles = (await listSandboxUsers(gateway.context)).map(({ role }) => role)
  const { partner } = await createPartner(gateway.context, 'test', { name: 'Another partner' })
  foreign = await createConsoleSubjects(gateway, partner.id)
})
afterAll(() => gateway.close())

/** Requests routes as a user of the role, whose session only signing out ends. */
function requester(role: ConsoleRole): (method: ConsoleRoute['method'], path: string) => Promise<SeenPage> {
  let browser = openFormBrowser(gateway)
  let formToken: string | undefined
  return async (method, path) => {
    if (formToken === undefined) {
      browser = await signInAs(gateway, role)
      const { html } = await browser.open('/console/sessions')
      formToken = /name="formToken" value="([^"]+)"/.exec(html)?.[1] ?? ''
    }
    const answer =
      method === 'GET' ? await browser.open(path) : await browser.post(path, new URLSearchParams({ formToken }))
    expect(titleOf(answer), `${role}: ${path}`).not.toBe('This form is out of date')
    const hasSession = !answer.place.startsWith('/console/sign-in')
    expect(hasSession, `${role}: ${path}`).toBe(path !== SIGN_OUT)
    formToken = hasSession ? formToken : undefined
    return answer
  }
}

const withIds = (path: string, ids: Readonly<Record<string, string>>) =>
  path.replaceAll(PARAMETER, (_parameter, name: string) => ids[name] ?? newId())
const ofOneSubject = () => routes.filter(({ path }) => path.includes(':'))

test('without a session a page leads to the sign-in page, and a form or a stream to an error', async () => {
  for (const { method, path, isLive } of routes) {
    const browser = openFormBrowser(gateway)
    const place = withIds(path, {})
    const answer = method === 'GET' ? await browser.open(place) : await browser.post(place, new URLSearchParams())
    const ofPage = isLive === true ? [403, 'Not permitted'] : [200, 'Sign in to the console']
    expect([answer.status, titleOf(answer)], path).toEqual(
      method === 'GET' ? ofPage : [403, 'This form is out of date'],
    )
  }
})

test('every route opens for the roles that it is for, and for no other', async () => {
  expect(roles.length).toBe(6)
  for (const role of roles) {
    const request = requester(role)
    for (const { method, path, permission } of routes) {
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
