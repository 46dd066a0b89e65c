/** Guards the architecture: which module may import which, no cycles, and the size and form of files and folders. */
import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSourceFiles, SOURCE_FOLDERS, type SourceFile } from '../setup/source-files.ts'
import { mutualFolders, shippedSources } from '../setup/structure/count-sources.ts'
import { SERVED_COUNTRIES } from './countries/served-countries.ts'

/** The modules from the bottom up: a module imports only those above it in this list. */
const MODULES_BOTTOM_UP = [
  'contract',
  'gateway/platform',
  'gateway/page-texts',
  'gateway/countries',
  'gateway/config',
  'gateway/banks',
  'gateway/partners',
  'gateway/context.ts',
  'gateway/operators',
  'gateway/request-log',
  'gateway/auth',
  'gateway/webhooks',
  'gateway/registries',
  'gateway/identity',
  'gateway/authorisations',
  'gateway/companies',
  'gateway/onboarding',
  'gateway/consents',
  'gateway/accounts',
  'gateway/fx',
  'gateway/orders',
  'gateway/payments',
  'gateway/payrolls',
  'gateway/entries',
  'gateway/prepare-restored-database.ts',
  'gateway/simulation',
  'docs-site',
  'console',
  'gateway/readiness.ts',
  'launcher/roles',
]

/** It names the types of what it holds, which know nothing of it: the test of cycles finds one that does. */
const CONTEXT = 'gateway/context.ts'

/** The folders outside the gateway, and the modules of the gateway that each may import. */
const IMPORTS_OF_OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  // An error shared by both sides of the bank interface would prove nothing.
  sandbox: ['gateway/platform', 'sandbox/settings.ts'],
  'sandbox/settings.ts': ['gateway/platform'],
  // A package of its own: what it has of the contract is generated.
  sdk: [],
  'sdk-python': ['contract'],
  launcher: [...MODULES_BOTTOM_UP],
  // It must find what the gateway does wrong, so it knows what is published and nothing else.
  conformance: ['contract'],
  cli: [...MODULES_BOTTOM_UP, 'conformance', 'launcher', 'sandbox/settings.ts', 'sdk'],
  // It checks the types of the documentation's examples, and counts what runs for a payment.
  setup: ['contract', 'docs-site', 'gateway/testing', 'launcher', 'bench', 'sdk'],
  release: ['contract', 'gateway/testing', 'launcher', 'sdk', 'setup'],
  deploy: ['contract', 'gateway/platform', 'gateway/testing', 'cli', 'launcher', 'sdk', 'setup'],
  drill: ['contract', 'gateway/platform', 'gateway/testing', 'deploy', 'launcher', 'sdk', 'setup'],
  bench: [...MODULES_BOTTOM_UP, 'gateway/testing', 'launcher', 'sandbox', 'sdk'],
}

/** Packages that the innermost parts may use; everything else there is ours. The client's example imports the client. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  contract: ['typebox'],
  conformance: ['ajv', 'ajv-formats', 'ghtml', 'typebox'],
  sdk: ['@havn/client'],
}

/** Tests and their fixtures may import everything. */
const EXEMPT = /^(gateway|sandbox)\/(.*\/)?(testing|journeys)\//
/** Private to their module: other modules use its entities and operations. */
const PRIVATE = /^gateway\/(?!platform\/)[^/]+\/(.*\/)?([^/]*-)?(store|routes|pages|jobs)\.ts$/
/** The composition root puts the modules together, private parts included; a benchmark measures a store's statements. */
const MAY_IMPORT_PRIVATE = [
  'launcher/roles/compose-server.ts',
  'launcher/roles/compose-operator-server.ts',
  'launcher/roles/compose-sweeps.ts',
  'bench/initiations/initiation-pgbench-script.ts',
]

/**
 * Payments and payrolls are both orders: the statements on the tables that they share are those of the modules below. Lists
 * of any module join partners, whose table is therefore below the module that authenticates them.
 */
const SHARES_TABLES_OF: Readonly<Record<string, readonly string[]>> = {
  'gateway/auth': ['gateway/partners'],
  'gateway/payments': ['gateway/orders'],
  'gateway/payrolls': ['gateway/orders'],
  // A moved clock records the polls of thousands of payments at once.
  'gateway/simulation': ['gateway/orders'],
}
const SHARED_STORE = /-store\.ts$/

/** What the platform serves without knowing it. Comments may give examples. */
const OF_PAYMENTS = /payment|payroll|salar|\bdeals?\b/i
const COMMENT = /\/\*\*?[\s\S]*?\*\/|\/\/.*/g
/** Errors name an order by the contract's fields. */
const PLATFORM_NAMES_ORDERS = /^gateway\/platform\/http\/errors\//

const FORBIDDEN_NAMES = /^(.*-)?(utils?|helpers?|common|shared|misc|manager|service|handler|impl|base|info)$|^data$/
const FILE_LINES_MAX = 250
const FOLDER_FILES_MAX = 25
const ARCHITECTURE_LINES_MAX = 200
/** Conformance suites are tests that get their connector as a parameter. */
const CONFORMANCE_SUITE = /\/conformance\//
/** Written by a program, and read in an editor by name. */
const GENERATED = /^sdk\/generated\//
/** The gateway's, and that of the client, which runs in other programs. */
const CLOCKS = ['gateway/platform/clock.ts', 'sdk/webhooks/wall-clock.ts']
const ASKS_THE_TIME = /\bnew Date\(\)|\bDate\.now\(|\bTemporal\.Now\b/
/** Settings are read in one file per program; everything else gets them as parameters. */
const MAY_READ_ENVIRONMENT =
  /^(gateway\/config\/config\.ts|gateway\/testing\/|sandbox\/[\w-]+\/main\.ts|sdk\/example\.ts|cli\/|launcher\/((?!roles\/)|roles\/main\.ts)|setup\/|deploy\/|drill\/|bench\/)/
const COUNTRY_FOLDER = /^gateway\/countries\/(?!(?:destinations|names)\/)[^/]+\//
const CODES = SERVED_COUNTRIES.join('|')
/** A key of a table, or a comparison. Norway's company registry is a connector, and may name its country. */
const TELLS_COUNTRIES_APART = new RegExp(`\\b(${CODES}): |([!=]==|\\bcase) '(${CODES})'`)
/** Concatenated here so that this file does not find itself; before a quote it is the code of several currencies. */
const UNFINISHED = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b(?!')`)
const RUNS_ALONE_OR_NEVER = /\b(it|test|describe)\.(only|skip|todo)\(/

const all = await readSourceFiles()
const sources = all.filter(({ isTest, path }) => !isTest && !EXEMPT.test(path))

/** Below a folder outside the gateway: the roles of a process put the gateway together; settings are documented. */
const PARTS_OF_OUTSIDE = /^(launcher\/roles|sandbox\/settings\.ts)(?=\/|$)/

/** The module, outside folder or single file that a path belongs to. */
function partOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first === 'gateway' ? `${first}/${second}` : (PARTS_OF_OUTSIDE.exec(path)?.[0] ?? first)
}

function mayImport(part: string): readonly string[] {
  const floor = MODULES_BOTTOM_UP.indexOf(part)
  return IMPORTS_OF_OUTSIDE[part] ?? MODULES_BOTTOM_UP.slice(0, Math.max(floor, 0))
}

/** Every import of one of our own files from another part. */
const crossings = sources.flatMap(({ path, imports }) =>
  imports
    .filter(({ kind, name }) => kind === 'file' && /\.(ts|mjs)$/.test(name) && partOf(name) !== partOf(path))
    .map(({ name }) => ({ from: path, to: name })),
)

/** Every source file with the source files that it imports, including imports of types. */
const importsByPath: ReadonlyMap<string, readonly string[]> = new Map(
  all.map(({ path, imports }) => [path, imports.filter(({ kind }) => kind === 'file').map(({ name }) => name)]),
)

/** The cycles in a graph of imports, each as the path back to its start: `a.ts → b.ts → a.ts`. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const cycles: string[] = []
  const finished = new Set<string>()
  const follow = (path: string, ancestors: readonly string[]): void => {
    const start = ancestors.indexOf(path)
    if (start >= 0) {
      cycles.push([...ancestors.slice(start), path].join(' → '))
    } else if (!finished.has(path)) {
      for (const imported of graph.get(path) ?? []) {
        follow(imported, [...ancestors, path])
      }
      finished.add(path)
    }
  }
  for (const path of graph.keys()) {
    follow(path, [])
  }
  return cycles
}

function namesOf(files: readonly SourceFile[]): readonly string[] {
  return files.map(({ path }) => path)
}

describe('imports', () => {
  it('every file belongs to a module', () => {
    const known = [...MODULES_BOTTOM_UP, ...Object.keys(IMPORTS_OF_OUTSIDE)]
    expect(crossings).not.toEqual([])
    expect(namesOf(sources.filter(({ path }) => !known.includes(partOf(path))))).toEqual([])
  })

  it('go only to modules further down', () => {
    const forbidden = crossings.filter(
      ({ from, to }) => from !== CONTEXT && !mayImport(partOf(from)).includes(partOf(to)),
    )
    expect(forbidden).toEqual([])
  })

  it('do not go to stores, routes, pages and jobs of other modules', () => {
    const mayShare = (from: string, to: string) =>
      SHARED_STORE.test(to) && SHARES_TABLES_OF[partOf(from)]?.includes(partOf(to)) === true
    const forbidden = crossings.filter(
      ({ from, to }) => PRIVATE.test(to) && !MAY_IMPORT_PRIVATE.includes(from) && !mayShare(from, to),
    )
    expect(forbidden).toEqual([])
  })

  it('that form a cycle are found, and its path is shown', () => {
    const graph = new Map([
      ['a.ts', ['b.ts', 'd.ts']],
      ['b.ts', ['c.ts', 'd.ts']],
      ['c.ts', ['b.ts']],
      ['d.ts', []],
    ])
    expect(cyclesOf(graph)).toEqual(['b.ts → c.ts → b.ts'])
  })

  it('form no cycle between files, types included', () => {
    expect(cyclesOf(importsByPath)).toEqual([])
  })

  it('go one way between sibling folders', () => {
    expect(mutualFolders(shippedSources(all))).toEqual([])
  })

  it.each(Object.entries(PACKAGES))('of %s use no packages but %j', (part, packages) => {
    const used = sources
      .filter(({ path }) => partOf(path) === part)
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ kind, name }) => kind === 'package' && !name.startsWith('node:'))
          .map(({ name }) => ({ path, name })),
      )
    expect(used.filter(({ name }) => !packages.includes(name))).toEqual([])
  })
})

describe('national rules', () => {
  const isNational = (path: string) => path.startsWith('gateway/countries/')
  const inGateway = sources.filter(({ path }) => path.startsWith('gateway/') && !isNational(path))

  it('are read from the country objects, not from the folder of one country', () => {
    const direct = sources.flatMap(({ path, imports }) =>
      imports.filter(({ name }) => COUNTRY_FOLDER.test(name) && dirname(name) !== dirname(path)).map(() => path),
    )
    expect(new Set(direct)).toEqual(new Set(['gateway/countries/served-countries.ts']))
  })

  it('are in no other table or comparison', () => {
    const found = inGateway.filter(({ path, text }) => TELLS_COUNTRIES_APART.test(text) && !path.includes('/brreg/'))
    expect(namesOf(found)).toEqual([])
  })
})

describe('the platform', () => {
  it('says nothing of payments and payrolls', () => {
    const inPlatform = sources.filter(
      ({ path }) => path.startsWith('gateway/platform/') && !PLATFORM_NAMES_ORDERS.test(path),
    )
    expect(namesOf(inPlatform.filter(({ text }) => OF_PAYMENTS.test(text.replaceAll(COMMENT, ''))))).toEqual([])
  })
})

describe('the source folders', () => {
  it.each(['tsconfig.json', 'knip.jsonc'])('are those that %s names', async (file) => {
    const text = await readFile(new URL(`../${file}`, import.meta.url), 'utf8')
    const [, list = ''] = /"(?:include|project)": \[([^\]]*)\]/.exec(text) ?? []
    const folders = (list.match(/[\w-]+(?=[",}])/g) ?? []).filter((name) => !['ts', 'mjs'].includes(name))
    expect(folders.toSorted()).toEqual(SOURCE_FOLDERS.toSorted())
  })
})

describe('a file', () => {
  it('says in its first line, in one sentence, what it does', () => {
    expect(namesOf(all.filter(({ purpose }) => purpose === undefined))).toEqual([])
  })

  it('has a name that is not generic', () => {
    expect(namesOf(all.filter(({ path }) => FORBIDDEN_NAMES.test(basename(path).replace(/\..*$/, ''))))).toEqual([])
  })

  it(`is no longer than ${FILE_LINES_MAX} lines`, () => {
    const long = sources.filter(
      ({ path, text }) =>
        !CONFORMANCE_SUITE.test(path) && !GENERATED.test(path) && text.split('\n').length - 1 > FILE_LINES_MAX,
    )
    expect(namesOf(long)).toEqual([])
  })

  it(`is in a folder of no more than ${FOLDER_FILES_MAX} source files`, () => {
    const byFolder = Map.groupBy(
      all.filter(({ isTest }) => !isTest),
      ({ path }) => dirname(path),
    )
    const large = [...byFolder].filter(([, inside]) => inside.length > FOLDER_FILES_MAX)
    expect(large.map(([folder, inside]) => `${folder}: ${inside.length}`)).toEqual([])
  })

  it('reads the time from the clock only', () => {
    // The set-up runs on an older Node, before there is a clock.
    const asking = sources.filter(
      ({ path, text }) => !CLOCKS.includes(path) && !path.endsWith('.mjs') && ASKS_THE_TIME.test(text),
    )
    expect(namesOf(asking)).toEqual([])
  })

  it('reads no environment variables, except where settings are read', () => {
    const reading = sources.filter(
      ({ path, text }) => !MAY_READ_ENVIRONMENT.test(path) && /\bprocess\.env\b/.test(text),
    )
    expect(namesOf(reading)).toEqual([])
  })

  it('has no open to-dos and no skipped tests', () => {
    const unfinished = all.filter(({ text }) => UNFINISHED.test(text) || RUNS_ALONE_OR_NEVER.test(text))
    expect(namesOf(unfinished).filter((path) => path !== 'gateway/architecture.test.ts')).toEqual([])
  })
})

describe('docs/ARCHITECTURE.md', async () => {
  const text = await readFile(new URL('../docs/ARCHITECTURE.md', import.meta.url), 'utf8')

  it(`has at most ${ARCHITECTURE_LINES_MAX} lines`, () => {
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(ARCHITECTURE_LINES_MAX)
  })

  it('names files that exist', () => {
    const named = [
      ...text.matchAll(
        /`((?:gateway|contract|docs-site|console|launcher|cli|sdk|sandbox|bench|setup)\/[\w./-]*\.ts)`/g,
      ),
    ]
    const paths = new Set(namesOf(all))
    expect(named.length).toBeGreaterThan(20)
    expect(named.map(([, path = '']) => path).filter((path) => !paths.has(path))).toEqual([])
  })

  it('names every module of the gateway', () => {
    const modules = MODULES_BOTTOM_UP.filter((path) => path.startsWith('gateway/') && !path.endsWith('.ts'))
    expect(modules.filter((path) => !text.includes(`\`${path.slice('gateway/'.length)}\``))).toEqual([])
  })
})
