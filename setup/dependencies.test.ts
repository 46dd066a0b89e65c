/** Tests the dependencies of the project: licences that may be shipped, and a decision for every direct dependency. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { missingFrom } from './complete-lockfile.ts'
import { ROOT } from './source-files.ts'

const Licensed = Type.Object({
  license: Type.Optional(Type.String()),
  dev: Type.Optional(Type.Boolean()),
  optionalDependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
})
const Lockfile = Type.Object({ packages: Type.Record(Type.String(), Licensed) })
const Integral = Type.Object({
  packages: Type.Record(Type.String(), Type.Object({ integrity: Type.Optional(Type.String()) })),
})
const Named = Type.Record(Type.String(), Type.String())
const Manifest = Type.Object({ dependencies: Named, devDependencies: Named, optionalDependencies: Named })

/** Permissive, without conditions beyond keeping the notice. */
const SHIPPED = [
  'MIT',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  // htmx's spelling of 0BSD.
  'BSD-0-Clause',
  // The licence of Python; argparse, the command line of markdown-it, has it.
  'PSF-2.0',
  'Unlicense',
  '(MIT OR Apache-2.0)',
]
/** Tools that run on a developer's machine and are not distributed may also have these. */
const USED_BY_DEVELOPERS = [
  ...SHIPPED,
  'MIT OR Apache-2.0',
  'MPL-2.0',
  'BlueOak-1.0.0',
  '(MIT AND Zlib)',
  'MIT or MPL-2.0',
  // Python's, for argparse; permissive. Both are names of it.
  'PSF-2.0',
  'Python-2.0',
]
/** They are MIT by their LICENSE files; only the field is missing. */
const WITHOUT_FIELD = /\/(ssh2|cpu-features|buildcheck)$/

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(join(ROOT, file), 'utf8'))
}

describe('the lockfile', () => {
  it('is complete for every platform, as npm ci requires; if this fails, run: npm run lockfile', async () => {
    const { packages } = Value.Parse(Lockfile, await readJson('package-lock.json'))
    expect(missingFrom(packages)).toEqual([])
  })

  it('has the integrity of every package, so that no registry can replace one', async () => {
    const { packages } = Value.Parse(Integral, await readJson('package-lock.json'))
    const entries = Object.entries(packages).filter(([path]) => path !== '')
    expect(entries.filter(([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))).toEqual([])
  })

  it('is incomplete when a platform is left out, wherever its package would be looked up', () => {
    const asking = { optionalDependencies: { 'x-linux-x64': '1.0.0' } }
    expect(missingFrom({ 'node_modules/x': asking })).toEqual([{ name: 'x-linux-x64', version: '1.0.0', dev: false }])
    const nested = { 'node_modules/y/node_modules/x': asking, 'node_modules/y/node_modules/x-linux-x64': {} }
    expect(missingFrom(nested)).toEqual([])
  })
})

describe('licences', () => {
  it('are permissive for everything that is shipped, and known for every tool', async () => {
    const { packages } = Value.Parse(Lockfile, await readJson('package-lock.json'))
    const foreign = Object.entries(packages)
      .filter(([path]) => path !== '' && !WITHOUT_FIELD.test(path))
      .filter(([, { license = 'none', dev }]) => !(dev === true ? USED_BY_DEVELOPERS : SHIPPED).includes(license))
    expect(foreign).toEqual([])
    expect(Object.keys(packages).length).toBeGreaterThan(100)
  })
})

describe('decisions', () => {
  it('have numbers of their own, and are listed in this order under their own headings', async () => {
    const folder = join(ROOT, 'docs', 'decisions')
    const names = (await readdir(folder)).filter((name) => /^[0-9]/.test(name)).toSorted()
    // Numbers are never given again: those of records that were replaced are missing.
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length)
    const headings = names.map(async (name) => /^# (.+)$/m.exec(await readFile(join(folder, name), 'utf8'))?.[1])
    const list = await readFile(join(folder, 'README.md'), 'utf8')
    expect([...list.matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(([, heading, name]) => [heading, name])).toEqual(
      (await Promise.all(headings)).map((heading, n) => [heading, names[n]]),
    )
  })

  it('name every direct dependency, and no other package', async () => {
    const folder = join(ROOT, 'docs', 'decisions')
    const pages = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
    const lines = pages.flatMap((page) => [
      ...(/^\*\*Packages:\*\* (.*)$/m.exec(page)?.[1]?.split('\n') ?? []),
      ...librariesIn(page).map(([packages = '']) => packages),
    ])
    const decided = lines.flatMap(namesIn)
    const manifest = Value.Parse(Manifest, await readJson('package.json'))
    const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
    expect(decided.toSorted()).toEqual(Object.keys(direct).toSorted())
  })

  it('have the licence of each library in the table, as the lockfile has it', async () => {
    const { packages } = Value.Parse(Lockfile, await readJson('package-lock.json'))
    const rows = librariesIn(await readFile(join(ROOT, 'docs', 'decisions', '0153-libraries.md'), 'utf8'))
    const licences = rows.map(([names = '']) => {
      const found = namesIn(names).map((name) => packages[`node_modules/${name}`]?.license)
      return [names, [...new Set(found)].join(', ')]
    })
    expect(rows.map(([names, licence]) => [names, licence])).toEqual(licences)
  })

  it('name only decisions that exist, in the documents and in each other', async () => {
    const folders = ['docs', 'docs/decisions', 'docs/operating', 'docs/guides']
    const files = (await Promise.all(folders.map(markdownIn))).flat()
    const known = new Set((await readdir(join(ROOT, 'docs', 'decisions'))).map((name) => name.slice(0, 4)))
    const wrong = await Promise.all(
      files.map(async (file) => {
        const text = await readFile(join(ROOT, file), 'utf8')
        const named = text.matchAll(/(?:\bdecisions?[ /]|\()(0[01]\d\d)(?=[-,;) .])/g)
        return [...named].flatMap(([, number = '']) => (known.has(number) ? [] : [`${file}: ${number}`]))
      }),
    )
    expect(wrong.flat()).toEqual([])
  })
})

/** The rows of a table of libraries. */
function librariesIn(page: string): readonly (readonly string[])[] {
  const rows = page.split('\n').filter((line) => /^\| `/.test(line) && page.includes('| Packages | Licence |'))
  return rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| /, '')))
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

async function markdownIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(ROOT, folder))
  return names.filter((name) => name.endsWith('.md')).map((name) => join(folder, name))
}
