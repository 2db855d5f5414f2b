package dev.gadget.code.ide;

import dev.gadget.code.turn.TurnFeed;
import dev.gadget.model.turn.Cursor;
import org.jspecify.annotations.Nullable;

/** A turn that a page follows, and how far it is. Only the thread that sends to the page moves the cursor. */
final class FollowedTurn {
    final TurnFeed feed;
    final TurnFeed.Watch watch;

    @Nullable
    Cursor cursor;

    FollowedTurn(TurnFeed feed, @Nullable Cursor cursor, Runnable wake) {
        this.feed = feed;
        this.cursor = cursor;
        this.watch = feed.onChange(wake);
    }
}
