/** Holds the house to its rules: which room may know which, and how a file looks. */
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSourceFiles, type SourceFile } from '../setup/source-files.ts'

/** Packages that the innermost parts may use; everything else there is ours. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = { contract: ['typebox'], sdk: [] }

/** Tests and what only tests use may know everything. */
const EXEMPT = /^(gateway|sandbox)\/(.*\/)?(testing|journeys)\//
const FORBIDDEN_NAMES = /^(.*-)?(utils?|helpers?|common|shared|misc|manager|service|handler|impl|base|info)$|^data$/
const FILE_LINES_MAX = 250
/** The gateway's, and that of the client, which runs in other programs. */
const CLOCKS = ['gateway/platform/clock.ts', 'sdk/wall-clock.ts']
const ASKS_THE_TIME = /\bnew Date\(\)|\bDate\.now\(|\bTemporal\.Now\b/
/** Settings are read in one file per program; everything else gets them handed. */
const MAY_READ_ENVIRONMENT =
  /^(gateway\/(config|main)\.ts|gateway\/testing\/|sandbox\/[\w-]+\/(config|main)\.ts|sdk\/example\.ts|cli\/|setup\/|bench\/)/
/** Put together here so that this file does not find itself. */
const UNFINISHED = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`)
const RUNS_ALONE_OR_NEVER = /\b(it|test|describe)\.(only|skip|todo)\(/

const all = await readSourceFiles()
const sources = all.filter(({ isTest, path }) => !isTest && !EXEMPT.test(path))

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
      .filter(({ path }) => path.startsWith(`${part}/`))
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
    expect(namesOf(unfinished).filter((path) => path !== 'gateway/architecture.test.ts')).toEqual([])
  })
})
