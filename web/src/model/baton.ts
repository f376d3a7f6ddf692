/** What the page takes from Baton: one door, all of which runs in a browser. */

export * from "batonjs/client";
