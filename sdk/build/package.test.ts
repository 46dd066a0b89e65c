/** Tests the npm package: it is built, packed, installed elsewhere, imported and type-checked there. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER_REASON } from '../browser-check.ts'
import * as source from '../index.ts'
import { buildPackage, packPackage } from './build-package.ts'

const run = promisify(execFile)
const COMPILER = new URL('../../node_modules/.bin/tsc', import.meta.url).pathname
let folder: string
let installed: string
let names: readonly string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-package-'))
  await buildPackage(join(folder, 'built'))
  const packed = await packPackage(join(folder, 'built'), folder)
  // As npm unpacks it, without asking a registry.
  installed = join(folder, 'project', 'node_modules', '@havn', 'client')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', packed, '-C', installed, '--strip-components=1'])
  const entries = await readdir(installed, { recursive: true, withFileTypes: true })
  names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const textOf = (name: string) => readFile(join(installed, name), 'utf8')
const ending = (end: string) => names.filter((name) => name.endsWith(end))

describe('the package', () => {
  test('has code, declarations, source maps and its papers, and nothing else', async () => {
    const others = names.filter((name) => !/^dist\/[\w/-]+\.(js|js\.map|d\.ts)$/.test(name))
    expect(others.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json'])
    const modules = ending('.js').filter((name) => name !== 'dist/browser.js')
    expect(
      ending('.d.ts')
        .map((name) => name.replace('.d.ts', '.js'))
        .toSorted(),
    ).toEqual(modules.toSorted())
    expect(
      ending('.js.map')
        .map((name) => name.replace('.map', ''))
        .toSorted(),
    ).toEqual(modules.toSorted())
    expect(names.filter((name) => /test|scripted|example/.test(name))).toEqual([])
  })

  test('depends on nothing', async () => {
    const { dependencies, peerDependencies, version, scripts } = JSON.parse(await textOf('package.json'))
    expect({ dependencies, peerDependencies, scripts }).toEqual({})
    expect(version).toBe(source.HAVN_CLIENT_VERSION)
    const code = await Promise.all([...ending('.d.ts'), ...ending('.js')].map(textOf))
    const imports = code.flatMap((text) =>
      [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name),
    )
    expect(new Set(imports.filter((name) => !/^\.{1,2}\/[\w/.-]+\.js$/.test(name ?? '')))).toEqual(
      new Set(['node:buffer', 'node:crypto']),
    )
  })

  test('has source maps that hold their sources', async () => {
    const { sources, sourcesContent } = JSON.parse(await textOf('dist/errors/havn-error.js.map'))
    expect(sources).toEqual(['../../src/errors/havn-error.ts'])
    expect(sourcesContent[0]).toBe(await readFile(new URL('../errors/havn-error.ts', import.meta.url), 'utf8'))
  })

  test('is imported with the names of the source', async () => {
    const built: object = await import(pathToFileURL(join(installed, 'dist', 'index.js')).href)
    expect(Object.keys(built).toSorted()).toEqual(Object.keys(source).toSorted())
  })

  test('says in a browser why it does not run there', async () => {
    const { exports } = JSON.parse(await textOf('package.json'))
    expect(exports['.'].browser).toBe('./dist/browser.js')
    await expect(import(pathToFileURL(join(installed, 'dist', 'browser.js')).href)).rejects.toThrow(BROWSER_REASON)
    const guarded = [...(await textOf('dist/browser.js')).matchAll(/^export const (\w+)/gm)].map(([, name]) => name)
    expect(guarded).toEqual(Object.keys(source).toSorted())
  })

  test('is type-checked in a strict project, with the library of browsers or the types of Node', async () => {
    const project = join(folder, 'project')
    await writeFile(join(project, 'program.ts'), PROGRAM)
    const strict = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
      '--ignoreConfig',
    ]
    const types = ['--types', 'node', '--typeRoots', new URL('../../node_modules/@types', import.meta.url).pathname]
    const check = (...options: string[]) => run(COMPILER, [...strict, ...options, 'program.ts'], { cwd: project })
    await check('--module', 'nodenext', '--target', 'es2022', '--types', '')
    await check('--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023', ...types)
  })
})

/** Each comment is an error that the compiler must find. */
const PROGRAM = `import { createHavnClient, HavnError, type DomesticPayment, type PaymentInitiated } from '@havn/client'

const havn = createHavnClient({ baseUrl: 'http://x', clientId: 'a', clientSecret: 'b', environment: 'sandbox' })
declare const body: DomesticPayment
const psu = { ipAddress: '127.0.0.1', userAgent: 'x' }
export async function pay(): Promise<PaymentInitiated> {
  // @ts-expect-error -- a payment requires a consent
  await havn.initiateDomesticPayment({ psu, body })
  // @ts-expect-error -- an amount is a string
  await havn.initiateDomesticPayment({ consentId: 'c', psu, body: { ...body, amount: { amount: 1, currency: 'NOK' } } })
  // @ts-expect-error -- there is no such operation
  await havn.payEverything()
  for await (const { paymentId } of havn.iteratePayments({ query: { status: 'Unsigned' } })) {
    const text: string = paymentId
    text.trim()
  }
  const stream: ReadableStream<Uint8Array> = await havn.listAccountEntries({
    consentId: 'c',
    params: { accountId: 'a' },
    query: { fromDate: '2026-11-01', toDate: '2026-11-30' },
    accept: 'text/csv',
  })
  await stream.cancel()
  return await havn.initiateDomesticPayment({ consentId: 'c', psu, body }).catch((error: unknown) => {
    throw error instanceof HavnError ? new Error(error.code, { cause: error.errors[0]?.docs }) : error
  })
}
`
