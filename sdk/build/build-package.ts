/** Builds the npm package of the client: JavaScript, declarations, source maps, a guard against browsers, and its papers. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BROWSER_REASON } from '../browser-check.ts'
import * as entry from '../index.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCE = join(ROOT, 'sdk')
/** An import of a file of ours in a declaration, which the compiler leaves with the name of its source. */
const IMPORT_OF_SOURCE = /(\bfrom '\.{1,2}\/[^']+|\bimport\('\.{1,2}\/[^']+)\.ts'/g

/** Builds the package in a folder, which is emptied. */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const dist = join(folder, 'dist')
  await compile(dist)
  await Promise.all([renameImports(dist), renameSources(dist)])
  await writeFile(join(dist, 'browser.js'), browserGuard())
  await writeFile(join(folder, 'package.json'), await manifest())
  await copyFile(join(SOURCE, 'README.md'), join(folder, 'README.md'))
  await copyFile(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

/** The package as a file that npm installs, in a folder; returns its path. */
export async function packPackage(packageFolder: string, folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: packageFolder })
  const [{ filename }] = JSON.parse(stdout)
  return join(folder, String(filename))
}

async function compile(dist: string): Promise<void> {
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc')
  const options = ['-p', join(SOURCE, 'build', 'tsconfig.json'), '--outDir', dist]
  await run(compiler, options).catch((error: unknown) => {
    throw new Error(`The client does not compile:\n${String(Object(error).stdout)}`, { cause: error })
  })
}

/** Declarations refer to declarations: their sources are not in the package. */
async function renameImports(dist: string): Promise<void> {
  await rewriteFiles(dist, '.d.ts', (text) => text.replaceAll(IMPORT_OF_SOURCE, "$1.js'"))
}

/** Source maps hold their sources; a stack trace shows them as files of the package. */
async function renameSources(dist: string): Promise<void> {
  await rewriteFiles(dist, '.js.map', (text, name) => {
    const path = `${name
      .split('/')
      .map(() => '..')
      .join('/')}/src/${name.replace('.js.map', '.ts')}`
    return JSON.stringify({ ...JSON.parse(text), sources: [path] })
  })
}

async function rewriteFiles(
  dist: string,
  ending: string,
  rewrite: (text: string, name: string) => string,
): Promise<void> {
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(ending))
  await Promise.all(
    names.map(async (name) => {
      const path = join(dist, name)
      await writeFile(path, rewrite(await readFile(path, 'utf8'), name))
    }),
  )
}

/** What bundlers for browsers are given: the same names, so that they reach the error that says why. */
function browserGuard(): string {
  const names = Object.keys(entry).sort()
  return [
    '/** Takes the place of the client in programs for browsers. */',
    'function refuse() {',
    `  throw new Error(${JSON.stringify(BROWSER_REASON)})`,
    '}',
    'refuse()',
    ...names.map((name) => `export const ${name} = refuse`),
    '',
  ].join('\n')
}

/** The manifest of the source, with the built files as its entries. */
async function manifest(): Promise<string> {
  const source: Readonly<Record<string, unknown>> = JSON.parse(await readFile(join(SOURCE, 'package.json'), 'utf8'))
  const [types, main, browser] = ['./dist/index.d.ts', './dist/index.js', './dist/browser.js']
  const built = {
    ...source,
    // Edge runtimes call themselves browsers in addition, and are servers.
    exports: {
      '.': { types, workerd: main, deno: main, bun: main, node: main, browser, default: main },
      './package.json': './package.json',
    },
    main,
    types,
    files: ['dist'],
    sideEffects: [browser],
  }
  return `${JSON.stringify(built, null, 2)}\n`
}
