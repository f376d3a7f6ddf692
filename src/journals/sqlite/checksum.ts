/** A checksum is stored beside each text, so that one that was torn or flipped on the disk is told from one that was written so. */

import { crc32 } from "node:zlib";

/** The CRC-32 of a text, signed, which SQLite keeps in four bytes. */
export function checksum(text: string | Uint8Array): number {
  return crc32(text) | 0;
}

/** Says whether a text is what was stored; one from before there were checksums has none and is taken as it is. */
export function isWhole(text: string | Uint8Array, stored: unknown): boolean {
  return stored === null || stored === checksum(text);
}
