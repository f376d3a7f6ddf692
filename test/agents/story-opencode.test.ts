/** opencode, really installed, goes through the story. */

import { installWanted } from "./install.ts";
import { tellStory } from "./story.ts";

tellStory("opencode", await installWanted("opencode"));
