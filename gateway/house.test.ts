/** Holds the house to its rules: which room may know which, and how a file looks. */
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSourceFiles, type SourceFile } from '../setup/source-files.ts'

/** The rooms from the bottom up: a room knows those that stand before it, so there are no circles. */
const ROOMS_BOTTOM_UP = [
  'contract',
  'gateway/foundation',
  'gateway/read-settings.ts',
  'gateway/identity-settings.ts',
  'gateway/registry-settings.ts',
  'gateway/fx-settings.ts',
  'gateway/exchange-settings.ts',
  'gateway/config.ts',
  'gateway/countries',
  'gateway/banks',
  'gateway/context.ts',
  'gateway/operators',
  'gateway/auth',
  'gateway/events',
  'gateway/webhooks',
  'gateway/registries',
  'gateway/identity',
  'gateway/signing',
  'gateway/onboarding',
  'gateway/consents',
  'gateway/accounts',
  'gateway/fx',
  'gateway/payments',
  'gateway/payrolls',
  'gateway/approvals',
  'gateway/cancellations',
  'gateway/entries',
  'gateway/console',
  'gateway/simulation',
  'gateway/reference',
  'gateway/sealed-columns.ts',
  'gateway/reseal.ts',
  'gateway/gateway-context.ts',
  'gateway/open-context.ts',
  'gateway/open-api.ts',
  'gateway/connection-settings.ts',
  'gateway/rate-limits.ts',
  'gateway/readiness.ts',
  'gateway/signing-kinds.ts',
  'gateway/compose-sweeps.ts',
  'gateway/compose-operator-server.ts',
  'gateway/compose-server.ts',
  'gateway/role.ts',
  'gateway/main.ts',
]

/** What stands beside the gateway, and what of ours each may know. */
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  // An error shared by both sides of the bank interface would prove nothing.
  sandbox: ['gateway/foundation'],
  sdk: ['contract'],
  cli: [...ROOMS_BOTTOM_UP, 'sdk'],
  setup: ['gateway/testing'],
  bench: [...ROOMS_BOTTOM_UP, 'gateway/testing', 'sandbox', 'sdk'],
}

/** Packages that the innermost parts may use; everything else there is ours. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = { contract: ['typebox'], sdk: [] }

/** Tests and what only tests use may know everything. */
const EXEMPT = /^(gateway|sandbox)\/(.*\/)?(testing|journeys)\//
/** Private to their room, in its folders as well: neighbours use its nouns and verbs. */
const PRIVATE = /^gateway\/(?!foundation\/)[^/]+\/(.*\/)?([^/]*-)?(store|routes|pages|jobs)\.ts$/
/** The composition root puts the rooms together, private parts included; the bench measures a store's own statements. */
const KNOWS_PRIVATE = [
  'gateway/compose-server.ts',
  'gateway/compose-operator-server.ts',
  'gateway/compose-sweeps.ts',
  'bench/pgbench-script.ts',
]

const FORBIDDEN_NAMES = /^(.*-)?(utils?|helpers?|common|shared|misc|manager|service|handler|impl|base|info)$|^data$/
const FILE_LINES_MAX = 250
/** The gateway's, and that of the client, which runs in other programs. */
const CLOCKS = ['gateway/foundation/clock.ts', 'sdk/wall-clock.ts']
const ASKS_THE_TIME = /\bnew Date\(\)|\bDate\.now\(|\bTemporal\.Now\b/
/** Settings are read in one file per program; everything else gets them handed. */
const MAY_READ_ENVIRONMENT =
  /^(gateway\/(config|main)\.ts|gateway\/testing\/|sandbox\/[\w-]+\/(config|main)\.ts|sdk\/example\.ts|cli\/|setup\/|bench\/)/
/** Put together here so that this file does not find itself. */
const UNFINISHED = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`)
const RUNS_ALONE_OR_NEVER = /\b(it|test|describe)\.(only|skip|todo)\(/

const all = await readSourceFiles()
const sources = all.filter(({ isTest, path }) => !isTest && !EXEMPT.test(path))

/** The room, neighbour or single file that a path belongs to. */
function partOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first === 'gateway' ? `${first}/${second}` : first
}

function mayKnow(part: string): readonly string[] {
  const floor = ROOMS_BOTTOM_UP.indexOf(part)
  return NEIGHBOURS[part] ?? ROOMS_BOTTOM_UP.slice(0, Math.max(floor, 0))
}

/** Every import of one of our own files from another part. */
const crossings = sources.flatMap(({ path, imports }) =>
  imports
    .filter(({ kind, name }) => kind === 'file' && /\.(ts|mjs)$/.test(name) && partOf(name) !== partOf(path))
    .map(({ name }) => ({ from: path, to: name })),
)

/** Every file of ours with the files of ours that it imports, be it for a type alone. */
const importsByPath: ReadonlyMap<string, readonly string[]> = new Map(
  all.map(({ path, imports }) => [path, imports.filter(({ kind }) => kind === 'file').map(({ name }) => name)]),
)

/** The cycles in a graph of imports, each as the path that leads back to where it begins: `a.ts → b.ts → a.ts`. */
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

describe('who knows whom', () => {
  it('has a place for every file', () => {
    const known = [...ROOMS_BOTTOM_UP, ...Object.keys(NEIGHBOURS)]
    expect(crossings).not.toEqual([])
    expect(namesOf(sources.filter(({ path }) => !known.includes(partOf(path))))).toEqual([])
  })

  it('lets a room know only what stands below it', () => {
    const forbidden = crossings.filter(({ from, to }) => !mayKnow(partOf(from)).includes(partOf(to)))
    expect(forbidden).toEqual([])
  })

  it('keeps stores, routes, pages and jobs private to their room', () => {
    const forbidden = crossings.filter(({ from, to }) => PRIVATE.test(to) && !KNOWS_PRIVATE.includes(from))
    expect(forbidden).toEqual([])
  })

  it('finds a cycle and says which way it goes', () => {
    const graph = new Map([
      ['a.ts', ['b.ts', 'd.ts']],
      ['b.ts', ['c.ts', 'd.ts']],
      ['c.ts', ['b.ts']],
      ['d.ts', []],
    ])
    expect(cyclesOf(graph)).toEqual(['b.ts → c.ts → b.ts'])
  })

  it('lets no file import itself through others, types included', () => {
    expect(cyclesOf(importsByPath)).toEqual([])
  })

  it.each(Object.entries(PACKAGES))('lets %s use no packages but %j', (part, packages) => {
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

describe('how a file looks', () => {
  it('says in its first line, in one sentence, what it is for', () => {
    expect(namesOf(all.filter(({ purpose }) => purpose === undefined))).toEqual([])
  })

  it('has a name that says something', () => {
    expect(namesOf(all.filter(({ path }) => FORBIDDEN_NAMES.test(basename(path).replace(/\..*$/, ''))))).toEqual([])
  })

  it(`is no longer than ${FILE_LINES_MAX} lines`, () => {
    expect(namesOf(sources.filter(({ text }) => text.split('\n').length - 1 > FILE_LINES_MAX))).toEqual([])
  })

  it('asks only the clock what time it is', () => {
    // The set-up runs on an older Node, before there is a clock.
    const asking = sources.filter(
      ({ path, text }) => !CLOCKS.includes(path) && !path.endsWith('.mjs') && ASKS_THE_TIME.test(text),
    )
    expect(namesOf(asking)).toEqual([])
  })

  it('is handed its settings', () => {
    const reading = sources.filter(
      ({ path, text }) => !MAY_READ_ENVIRONMENT.test(path) && /\bprocess\.env\b/.test(text),
    )
    expect(namesOf(reading)).toEqual([])
  })

  it('is finished, and all its tests run', () => {
    const unfinished = all.filter(({ text }) => UNFINISHED.test(text) || RUNS_ALONE_OR_NEVER.test(text))
    expect(namesOf(unfinished).filter((path) => path !== 'gateway/house.test.ts')).toEqual([])
  })
})
