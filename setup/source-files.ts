/** Reads the project's source files: their first sentence, what they import, and whether they are tests. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One source file. */
export type SourceFile = {
  /** From the project's root, with slashes: `gateway/orders/payment.ts`. */
  readonly path: string
  readonly text: string
  readonly isTest: boolean
  /** What its first line says it is for; undefined when that is no sentence in a doc comment. */
  readonly purpose: string | undefined
  readonly imports: readonly Import[]
}

/** What a file imports: another file of ours by its path, or a package by its name. */
export type Import = { readonly kind: 'file' | 'package'; readonly name: string }

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Where source is kept; the rest of the project is data and documents. */
const FOLDERS = ['contract', 'gateway', 'sandbox', 'sdk', 'cli', 'setup', 'bench']
const SOURCE = /\.(ts|mjs)$/
const PURPOSE = /^(?:#!.*\n)?\/\*\* (.+\.) \*\/\n/
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g

/** All source files, in the order of their paths. */
export async function readSourceFiles(): Promise<readonly SourceFile[]> {
  const folders = await Promise.all(FOLDERS.map((folder) => listFiles(join(ROOT, folder))))
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
    imports: [...withoutComments(text).matchAll(IMPORT)].map(([, specifier = '']) => importOf(path, specifier)),
  }
}

function importOf(path: string, specifier: string): Import {
  if (specifier.startsWith('.')) {
    return { kind: 'file', name: posix.join(dirname(path), specifier) }
  }
  const [scope = '', name = ''] = specifier.split('/')
  return { kind: 'package', name: scope.startsWith('@') ? `${scope}/${name}` : scope }
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
}
