/** Guarantees that U+0000 in an address of the console, which PostgreSQL cannot store, is no error of ours. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../gateway/platform/ids.ts'
import { routesOfConsole } from '../gateway/testing/console/console-routes.ts'
import { signInAs } from '../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { composeServer } from '../launcher/roles/compose-server.ts'
import { isPermitted } from './access/console-role.ts'

let gateway: TestGateway
/** Asked without a connection: here only the answers matter. */
let server: FastifyInstance
beforeAll(async () => {
  gateway = await startTestGateway()
  server = await composeServer(gateway.context)
})
afterAll(async () => {
  await server.close()
  await gateway.close()
})

/** Parameters of lists that no form shows. */
const HIDDEN = ['after', 'partner', 'name', 'next', 'bank']

/** The names of the fields of the page's filters. */
const fieldsOf = (html: string) =>
  [...html.matchAll(/<(?:input|select)[^>]* name="([\w.]+)"/g)].map(([, name = '']) => name)

test.each(['operator-administrator', 'partner-payroll'] as const)('for the role %s', async (role) => {
  const cookie = (await signInAs(gateway, role)).cookies()
  const paths = routesOfConsole(gateway).flatMap(({ method, path, isLive, permission }) =>
    method === 'GET' && isLive !== true && isPermitted([role], permission) ? [path] : [],
  )
  const failed: string[] = []
  const open = async (path: string) => {
    const { statusCode: status, payload: html } = await server.inject({ url: path, headers: { cookie } })
    failed.push(...(status >= 500 && status !== 503 ? [`${path}: ${status}`] : []))
    return { status, html }
  }
  for (const path of paths) {
    await open(path.replaceAll(/:\w+/g, '%00'))
    const place = path.replaceAll(/:\w+/g, newId())
    const { status, html } = await open(place)
    const names = status === 200 ? [...fieldsOf(html), ...HIDDEN] : []
    for (const name of new Set(names)) {
      await open(`${place}?${name}=a%00b`)
    }
  }
  expect(paths.length).toBeGreaterThan(5)
  expect(failed).toEqual([])
})
