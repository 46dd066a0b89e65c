/** Reads the project's source files: their first sentence, their imports, and whether they are tests. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export type SourceFile = {
  /** From the project's root, with slashes: `gateway/orders/payment.ts`. */
  readonly path: string
  readonly text: string
  readonly isTest: boolean
  /** The sentence of its first line; undefined when that is not a sentence in a doc comment. */
  readonly purpose: string | undefined
  readonly imports: readonly Import[]
}

/** An import: an own file by its path, or a package by its name. */
export type Import = {
  readonly kind: 'file' | 'package'
  readonly name: string
  /** An import of types alone is stripped and loads nothing. */
  readonly isOfTypes: boolean
  /** Loaded when it is reached, by `import()`. */
  readonly isDynamic: boolean
}

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The source folders; the rest of the project is data and documents. */
export const SOURCE_FOLDERS = [
  'contract',
  'gateway',
  'sandbox',
  'sdk',
  'sdk-python',
  'docs-site',
  'console',
  'cli',
  'launcher',
  'setup',
  'conformance',
  'release',
  'deploy',
  'bench',
  'drill',
]
const SOURCE = /\.(ts|mjs)$/
const PURPOSE = /^(?:#!.*\n)?\/\*\* (.+\.) \*\/\n/
const TYPE_IMPORT = /^(?:import|export) type [^'=;]*\bfrom '([^']+)'/gm
const IMPORT = /\b(?:from|import)\s*(\(?)\s*'([\w@./:-]+)'/g

let sources: Promise<readonly SourceFile[]> | undefined

/** All source files, sorted by path; read once per process, for many tests ask. */
export function readSourceFiles(): Promise<readonly SourceFile[]> {
  sources ??= readAll()
  return sources
}

async function readAll(): Promise<readonly SourceFile[]> {
  const folders = await Promise.all(SOURCE_FOLDERS.map((folder) => listFiles(join(ROOT, folder))))
  const paths = folders
    .flat()
    .filter((path) => SOURCE.test(path))
    .sort()
  return await Promise.all(paths.map(readSourceFile))
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

async function readSourceFile(path: string): Promise<SourceFile> {
  const text = await readFile(join(ROOT, path), 'utf8')
  return {
    path,
    text,
    isTest: /\.test\.(ts|mjs)$/.test(path),
    purpose: PURPOSE.exec(text)?.[1],
    imports: importsOf(path, withoutComments(text)),
  }
}

function importsOf(path: string, code: string): readonly Import[] {
  const ofTypes = [...code.matchAll(TYPE_IMPORT)].map(([, specifier = '']) => ({
    ...importedBy(path, specifier),
    isOfTypes: true,
    isDynamic: false,
  }))
  const loaded = [...code.replaceAll(TYPE_IMPORT, '').matchAll(IMPORT)].map(([, call, specifier = '']) => ({
    ...importedBy(path, specifier),
    isOfTypes: false,
    isDynamic: call === '(',
  }))
  return [...ofTypes, ...loaded]
}

function importedBy(path: string, specifier: string): Pick<Import, 'kind' | 'name'> {
  if (specifier.startsWith('.')) {
    return { kind: 'file', name: posix.join(dirname(path), specifier) }
  }
  const [scope = '', name = ''] = specifier.split('/')
  return { kind: 'package', name: scope.startsWith('@') ? `${scope}/${name}` : scope }
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
}
