/** Reads which packages of the lockfile are in a laid-out server, with their licences and integrity. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { ROOT } from '../setup/source-files.ts'

const Locked = Type.Object({ version: Type.String(), integrity: Type.String(), license: Type.Optional(Type.String()) })
const Lockfile = Type.Object({ packages: Type.Record(Type.String(), Type.Unknown()) })
const LICENCE_FILE = /^(licen[sc]e|copying|notice|copyright)/i

/** A package in `node_modules`. */
export type InstalledPackage = {
  readonly name: string
  readonly version: string
  /** An SPDX expression; undefined where the package states none in its manifest. */
  readonly licence: string | undefined
  /** The SHA-512 of its archive in the registry, in hexadecimal. */
  readonly sha512: string
  /** The texts of its licence and notice files. */
  readonly texts: readonly string[]
}

/** Sorted by path. */
export async function readInstalledPackages(folder: string): Promise<readonly InstalledPackage[]> {
  const { packages } = Value.Parse(Lockfile, JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')))
  const paths = Object.keys(packages).filter((path) => path !== '' && existsSync(join(folder, path)))
  return await Promise.all(paths.sort().map((path) => readPackage(folder, path, Value.Parse(Locked, packages[path]))))
}

async function readPackage(
  folder: string,
  path: string,
  { version, integrity, license }: { readonly version: string; readonly integrity: string; readonly license?: string },
): Promise<InstalledPackage> {
  const files = (await readdir(join(folder, path))).filter((name) => LICENCE_FILE.test(name)).sort()
  const texts = await Promise.all(files.map((name) => readFile(join(folder, path, name), 'utf8')))
  const sha512 = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
  return { name: path.replace(/^.*node_modules\//, ''), version, licence: license, sha512, texts }
}
