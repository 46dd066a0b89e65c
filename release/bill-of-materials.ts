/** Writes what a release is made of: the software bill of materials (CycloneDX) and the third-party licences. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { ROOT } from '../setup/source-files.ts'
import type { BasePackage } from './image/server-image.ts'
import type { Platform } from './platforms.ts'

/** The distribution that the base system of the image is from. */
const DISTRIBUTION = 'debian'

/** Licences by names that packages use and SPDX does not have. */
const SPDX_BY_NAME: Readonly<Record<string, string>> = { 'BSD-0-Clause': '0BSD' }

/** What is described. */
export type Bill = {
  readonly version: string
  readonly platform: Platform
  readonly dateMilliseconds: number
  readonly packages: readonly InstalledPackage[]
  /** Only in the image. */
  readonly base: readonly BasePackage[]
}

/** A CycloneDX 1.6 document as JSON text; the same for the same packages. */
export function billOfMaterials({ version, platform, dateMilliseconds, packages, base }: Bill): string {
  const all = [...packages.map(npmComponent), ...base.map((one) => debianComponent(one, platform))]
  // A package may be installed at several places.
  const components = [...new Map(all.map((component) => [component['bom-ref'], component])).values()]
  const digest = createHash('sha256')
    .update(JSON.stringify([version, platform.name, components]))
    .digest('hex')
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: {
      timestamp: new Date(dateMilliseconds).toISOString(),
      component: {
        type: 'application',
        'bom-ref': `havn@${version}`,
        name: 'havn',
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        properties: [{ name: 'havn:platform', value: platform.name }],
      },
    },
    components,
    dependencies: [{ ref: `havn@${version}`, dependsOn: components.map((component) => component['bom-ref']).sort() }],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The licence of each package, and their texts, each text once. */
export function thirdPartyLicences(packages: readonly InstalledPackage[]): string {
  const namesByText = new Map<string, string[]>()
  for (const { name, version, licence, texts } of packages) {
    const whole = texts.length === 0 ? `Licence: ${licence ?? 'see the package'}\n` : texts.join('\n')
    namesByText.set(whole, [...(namesByText.get(whole) ?? []), `${name} ${version} (${licence ?? 'see below'})`])
  }
  const parts = [...namesByText].map(([text, names]) => `${names.join('\n')}\n\n${text.trim()}\n`)
  return `Havn contains these packages under their own licences.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

function npmComponent({ name, version, licence, sha512 }: InstalledPackage) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    hashes: [{ alg: 'SHA-512', content: sha512 }],
    ...(licence === undefined ? {} : { licenses: [licenceEntry(licence)] }),
  }
}

/** A single identifier, or an expression such as `(MIT OR Apache-2.0)`. */
function licenceEntry(licence: string) {
  return licence.includes(' ') ? { expression: licence } : { license: { id: SPDX_BY_NAME[licence] ?? licence } }
}

function debianComponent({ name, version }: BasePackage, { architecture }: Platform) {
  const purl = `pkg:deb/${DISTRIBUTION}/${name}@${encodeURIComponent(version)}?arch=${architecture}`
  return { type: 'library', 'bom-ref': purl, name, version, purl }
}

/** A UUID of version 8 (RFC 9562), whose bits are the writer's own. */
function uuidOf(hexadecimal: string): string {
  return hexadecimal.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}

const Locked = Type.Object({ version: Type.String(), integrity: Type.String(), license: Type.Optional(Type.String()) })
const Lockfile = Type.Object({ packages: Type.Record(Type.String(), Type.Unknown()) })
const LICENCE_FILE = /^(licen[sc]e|copying|notice|copyright)/i

/** A package in `node_modules`. */
type InstalledPackage = {
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
