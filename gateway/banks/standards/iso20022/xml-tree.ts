/** Reads XML that somebody else wrote: elements by their names, whatever prefix stands before them. */
import { parseXml, XmlElement } from '@rgrove/parse-xml'

/** The root of a document; undefined where it is no XML, or not all of it. Entities of the document's own are none. */
export function rootOf(text: string): XmlElement | undefined {
  try {
    return parseXml(text).root ?? undefined
  } catch {
    return undefined
  }
}

/** The elements of a name right inside another, in their order. */
export function inside(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  const children = element?.children ?? []
  return children.flatMap((child) => (child instanceof XmlElement && localName(child) === name ? [child] : []))
}

/** The first one down a path of names. */
export function first(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((found, name) => inside(found, name)[0], element)
}

/** Its text without blanks around it; null where there is none. */
export function textAt(element: XmlElement | undefined, ...path: readonly string[]): string | null {
  return first(element, ...path)?.text.trim() || null
}

/** The name without its prefix. */
function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(':') + 1)
}
