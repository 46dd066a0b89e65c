/** Writes a container image in the OCI layout from folders, without a container engine. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packReproducibly } from '../reproducible-tar.ts'

/** One layer: everything in a folder, at a place in the image. */
export type Layer = { readonly folder: string; readonly place?: string; readonly createdBy: string }

/** What the image is and how it runs; `config` is that of the OCI image specification. */
export type Image = {
  readonly architecture: string
  /** For example `havn:1.0.0`. */
  readonly reference: string
  readonly dateMilliseconds: number
  readonly layers: readonly Layer[]
  readonly config: object
  readonly annotations: Readonly<Record<string, string>>
}

type Blob = { readonly digest: string; readonly size: number }

const OCI = 'application/vnd.oci.image'

/** Writes `file`, a tar archive that `podman load`, `docker load` and `skopeo` read. `work` is emptied. */
export async function writeImage(file: string, work: string, image: Image): Promise<void> {
  await rm(work, { recursive: true, force: true })
  const layout = join(work, 'layout')
  await mkdir(join(layout, 'blobs', 'sha256'), { recursive: true })
  const layers = []
  for (const layer of image.layers) {
    layers.push(await writeLayer(layout, join(work, 'layer.tar'), layer, image.dateMilliseconds))
  }
  const created = new Date(image.dateMilliseconds).toISOString()
  const config = await writeJson(layout, {
    created,
    architecture: image.architecture,
    os: 'linux',
    config: image.config,
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: image.layers.map(({ createdBy }) => ({ created, created_by: createdBy })),
  })
  const manifest = await writeJson(layout, {
    schemaVersion: 2,
    mediaType: `${OCI}.manifest.v1+json`,
    config: { mediaType: `${OCI}.config.v1+json`, ...config },
    layers: layers.map(({ blob }) => ({ mediaType: `${OCI}.layer.v1.tar+gzip`, ...blob })),
    annotations: { 'org.opencontainers.image.created': created, ...image.annotations },
  })
  const [, tag = ''] = image.reference.split(':')
  const described = {
    mediaType: `${OCI}.manifest.v1+json`,
    ...manifest,
    platform: { architecture: image.architecture, os: 'linux' },
    annotations: {
      'org.opencontainers.image.ref.name': tag,
      'io.containerd.image.name': `docker.io/library/${image.reference}`,
    },
  }
  const index = { schemaVersion: 2, mediaType: `${OCI}.index.v1+json`, manifests: [described] }
  await writeFile(join(layout, 'index.json'), JSON.stringify(index))
  await writeFile(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  await packReproducibly(file, { folder: layout, dateMilliseconds: image.dateMilliseconds })
}

async function writeLayer(layout: string, plain: string, { folder, place }: Layer, dateMilliseconds: number) {
  await packReproducibly(plain, { folder, dateMilliseconds, ...(place === undefined ? {} : { prefix: place }) })
  const content = await readFile(plain)
  await rm(plain)
  return { diffId: digestOf(content), blob: await writeBlob(layout, gzipSync(content, { level: 9 })) }
}

async function writeJson(layout: string, content: object): Promise<Blob> {
  return await writeBlob(layout, Buffer.from(JSON.stringify(content)))
}

async function writeBlob(layout: string, content: Buffer): Promise<Blob> {
  const digest = digestOf(content)
  await writeFile(join(layout, 'blobs', ...digest.split(':')), content)
  return { digest, size: content.byteLength }
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}
