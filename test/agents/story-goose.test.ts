/** goose, really installed, goes through the story. */

import { installWanted } from "./install.ts";
import { tellStory } from "./story.ts";

tellStory("goose", await installWanted("goose"));
