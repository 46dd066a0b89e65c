/** Guarantees that requests of strangers store nothing, except by the ways in that docs/operating/network.md lists. */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoCredentials } from '../../contract/examples/demo-fixture.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { newId, newToken } from '../../gateway/platform/ids.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { composeServer } from './compose-server.ts'

let gateway: TestGateway
let server: FastifyInstance
beforeAll(async () => {
  gateway = await startTestGateway()
  const config = { ...gateway.config, mode: 'production', baseUrl: 'https://havn.example' } as const
  server = await composeServer({ ...gateway.context, config })
  await server.ready()
})
afterAll(async () => {
  await server.close()
  await gateway.close()
})

type Route = { readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; readonly path: string }

/** Parses what Fastify prints of its routes: a tree of parts of paths, with the methods of each. */
function listRoutes(): readonly Route[] {
  const parts: string[] = []
  const routes: Route[] = []
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] = /^((?:│ {3}| {4})*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? []
    parts.splice(indent.length / 4, Number.POSITIVE_INFINITY, part)
    for (const method of methods.split(', ').filter((name) => /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(name))) {
      routes.push({ method: method as Route['method'], path: parts.join('') })
    }
  }
  return routes
}

/** A request with everything that a client can make up: ids, tokens, a cookie and its form token, and a long body. */
function madeUpRequest({ method, path }: Route): InjectOptions {
  const token = newToken()
  const [, formToken = ''] = /value="([^"]+)"/.exec(tokenField(token)) ?? []
  const fields = {
    formToken,
    resumePath: '/console/users',
    resumeFields: 'a=1',
    client_id: demoCredentials.clientId,
    note: 'x'.repeat(60_000),
  }
  return {
    method,
    url: path
      .replaceAll('*', 'x')
      .replaceAll(/:token/g, newToken())
      .replaceAll(/:\w+/g, newId()),
    headers: {
      cookie: `__Host-havn_console=${token}; havn_console=${token}`,
      authorization: 'Bearer made-up',
      ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(method === 'GET' ? {} : { payload: new URLSearchParams(fields).toString() }),
  }
}

async function rowsByTable(): Promise<Readonly<Record<string, number>>> {
  const { pool } = gateway.context.database
  const { rows: tables } = await pool.query(
    `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const counts = tables.map(({ relname }) => `select '${relname}' as name, count(*)::int as rows from "${relname}"`)
  const { rows } = await pool.query(counts.join(' union all '))
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]))
}

/** The requests of the first table of the section, with the tables that each of them writes to. */
async function readDocumented(): Promise<readonly (Route & { readonly tables: readonly string[] })[]> {
  const text = await readFile(new URL('../../docs/operating/network.md', import.meta.url), 'utf8')
  const [, section = ''] = text.split('## What requests without authentication store')
  const [, rows = ''] = /\n\|---.*\|\n((?:\|.*\n)+)/.exec(section) ?? []
  return rows.split('\n').flatMap((row) => {
    const [, requests = '', table = ''] = row.split('|')
    return [...requests.matchAll(/`([A-Z]+) ([^`]+)`/g)].map(([, method, path = '']) => ({
      method: method as Route['method'],
      path,
      tables: table.replaceAll(/[` ]/g, '').split(','),
    }))
  })
}

/** Enough to name the culprit closely, and few enough counts. */
const ROUTES_PER_COUNT = 50

/** Sends these requests; what it returns finds the tables that have changed since. */
async function sent(routes: readonly Route[]): Promise<() => Promise<readonly string[]>> {
  const before = await rowsByTable()
  for (const route of routes) {
    const { statusCode } = await server.inject(madeUpRequest(route))
    expect(statusCode, `${route.method} ${route.path}`).toBeLessThan(500)
  }
  return async () => {
    await gateway.context.requestLog.flush()
    const after = await rowsByTable()
    return Object.keys(after).filter((table) => after[table] !== before[table])
  }
}

test('what a stranger sends is stored by the requests that the documentation lists only', async () => {
  const documented = await readDocumented()
  const isDocumented = ({ method, path }: Route) =>
    documented.some((listed) => listed.method === method && listed.path === path)
  const routes = listRoutes()
  const others = routes.filter((route) => !isDocumented(route))
  expect(others.length).toBeGreaterThan(200)
  for (let first = 0; first < others.length; first += ROUTES_PER_COUNT) {
    const some = others.slice(first, first + ROUTES_PER_COUNT)
    const findWritten = await sent(some)
    expect(await findWritten(), some.map(({ method, path }) => `${method} ${path}`).join(', ')).toEqual([])
  }
  // Of the other rows, a test of its own has the limit: signing in at a provider has other settings.
  for (const { tables, ...route } of documented.filter(({ path }) => routes.some((each) => each.path === path))) {
    // The client of a token request is looked up after the response, and recorded then.
    await expect.poll(await sent([route]), { message: `${route.method} ${route.path}` }).toEqual(tables)
  }
})
